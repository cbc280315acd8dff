/** Starts the browser of whoever sits here. It is given a file and no address, which everybody could read in the list of processes. */

import { spawn } from 'node:child_process'
import type { Clock } from '@agentpty/protocol'

/** Some openers run until the browser ends. One that fails does so earlier than this. */
const failsWithinMs = 3_000

/** False where there is none: on a machine without a screen, or without a program that shows one, or where that program fails. */
export function openBrowser(
  file: string,
  env: Readonly<Record<string, string | undefined>>,
  clock: Clock,
): Promise<boolean> {
  const program = programFor(env)
  if (program === null) return Promise.resolve(false)
  return new Promise((resolve) => {
    const child = spawn(program, [file], { stdio: 'ignore', detached: true, env: { ...env } })
    child.unref()
    const cancelTimer = clock.callAt(clock.now() + failsWithinMs, () => resolve(true))
    const settle = (isOpened: boolean) => {
      cancelTimer()
      resolve(isOpened)
    }
    child.once('error', () => settle(false))
    child.once('exit', (code) => settle(code === 0))
  })
}

function programFor(env: Readonly<Record<string, string | undefined>>): string | null {
  if (process.platform === 'darwin') return 'open'
  if (env['WSL_DISTRO_NAME'] !== undefined) return 'wslview'
  const hasScreen = env['DISPLAY'] !== undefined || env['WAYLAND_DISPLAY'] !== undefined
  return hasScreen || env['BROWSER'] !== undefined ? 'xdg-open' : null
}
