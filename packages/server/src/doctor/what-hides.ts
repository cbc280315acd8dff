/** Why the kernel does not show what programs wait for. */

import { readFileSync } from 'node:fs'

export function whatHides(): string {
  const scope = readIfThere('/proc/sys/kernel/yama/ptrace_scope')?.trim()
  const hidepid = /\shidepid=(\w+)/.exec(readIfThere('/proc/mounts')?.replaceAll(',', ' ') ?? '')?.[1]
  const reasons = [
    ...(Number(scope) > 1 ? [`kernel.yama.ptrace_scope is ${scope}; 1 would do`] : []),
    ...(hidepid === undefined || hidepid === '0' ? [] : [`/proc is mounted with hidepid=${hidepid}`]),
  ]
  return reasons.length > 0 ? reasons.join(', ') : 'by a container or a security module'
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // Not every kernel has it, and then it restricts nothing.
    return null
  }
}
