/** Starting ptyhost, or finding the one that runs. */

import { spawn } from 'node:child_process'
import { TermError } from '@agentpty/protocol'

/** Exit code of a starter that found another host listening. */
const alreadyRunning = 3

export interface HostPaths {
  /** The ptyhost program. */
  readonly program: string
  readonly socket: string
  /** Without sessions and connections it ends itself after this many ms. */
  readonly lingerMs: number
  /** It ends with its first owner, however that ends, and removes its socket's folder. */
  readonly isPrivate?: boolean
}

/**
 * Resolves when a host listens on the socket. It detaches itself, so it outlives its starter; a private one only
 * shortly.
 */
export function startHost({ program, socket, lingerMs, isPrivate = false }: HostPaths): Promise<void> {
  const args = ['--socket', socket, '--linger-ms', String(lingerMs), ...(isPrivate ? ['--private'] : [])]
  return new Promise((resolve, reject) => {
    const starter = spawn(program, args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      cwd: '/',
    })
    let complaint = ''
    starter.stderr.on('data', (text) => {
      complaint = (complaint + text).slice(-2_000)
    })
    starter.on('error', (error) => reject(hostMissing(program, error.message)))
    starter.on('exit', (code) => {
      starter.stderr.destroy()
      if (code === 0 || code === alreadyRunning) resolve()
      else reject(hostMissing(program, complaint.trim() || `exit code ${code}`))
    })
  })
}

function hostMissing(program: string, reason: string): TermError {
  return new TermError(
    'host_gone',
    `Cannot start ${program}: ${reason}.`,
    'Run `agentpty doctor` to see what is wrong.',
  )
}
