/** Starts the browser of whoever sits here. It is given a file and no address, which everybody could read in the list of processes. */

import { spawn } from 'node:child_process'

/** False where there is none: on a machine without a screen, or without a program that knows one. */
export function openBrowser(file: string, env: Readonly<Record<string, string | undefined>>): Promise<boolean> {
  const program = programFor(env)
  if (program === null) return Promise.resolve(false)
  return new Promise((resolve) => {
    const child = spawn(program, [file], { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}

function programFor(env: Readonly<Record<string, string | undefined>>): string | null {
  if (process.platform === 'darwin') return 'open'
  if (env['WSL_DISTRO_NAME'] !== undefined) return 'wslview'
  const hasScreen = env['DISPLAY'] !== undefined || env['WAYLAND_DISPLAY'] !== undefined
  return hasScreen || env['BROWSER'] !== undefined ? 'xdg-open' : null
}
