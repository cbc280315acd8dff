/** The name of the program in the foreground, for persons. */

import { basename } from 'node:path'
import type { Session } from '@agentpty/engine/session'

/** Some runtimes give the first thread a name of its own, and the kernel reports that for the process. */
const threadName = /^(?:.+-)?MainThread$/

type Named = {
  readonly info: Pick<Session['info'], 'argv' | 'shell'>
  readonly commands: { readonly current: { readonly line: string | null } | null }
  readonly program: { readonly foreground: { readonly name: string } }
}

/** Empty where it is not known. */
export function programNameOf({ info, commands, program }: Named): string {
  const { name } = program.foreground
  if (!threadName.test(name)) return name
  const typed = commands.current?.line?.trim().split(/\s+/)[0]
  return basename(typed ?? (info.shell === null ? (info.argv[0] ?? '') : ''))
}
