/** What a command of PowerShell is by its name. */

import { builtins } from '../programs/builtins.ts'
import { isExistingCommand } from '../programs/known-commands.ts'
import { programs } from '../programs/programs.ts'
import { knownPrograms } from './cmdlets-table.ts'
import type { Script } from './syntax.ts'

export const isPathLike = (text: string) => /[\\/]/.test(text) && !/[;|{}]/.test(text)

/** Names that are programs on Linux and short names of cmdlets on Windows. */
export const isShared = (name: string) => /^(curl|wget|kill|sort|tee|diff|cp|mv|rm|rmdir)$/.test(name)

/** One that has a rule, or that machines for development have. */
export function isProgram(name: string): boolean {
  if (Object.hasOwn(builtins, name)) return false
  return Object.hasOwn(programs, name) || isExistingCommand(name) || knownPrograms.has(name)
}

/** Without its module and `.exe`, in small letters. */
export function commandName(text: string): string {
  const plain = text.toLowerCase().replace(/^microsoft\.powershell\.\w+\\/, '')
  const name = /^([a-z]:)?[\\/].*[\\/](windows|program files[^\\/]*|system32|bin|sbin)[\\/]/.test(plain)
    ? plain.replace(/^.*[\\/]/, '')
    : plain
  return name.replace(/\.(exe|com)$/, '')
}

/** Whether programs are started in it for which nobody waits. */
export function startsPrograms(script: Script): boolean {
  return script.some(
    ({ stages, isBackground }) =>
      isBackground ||
      stages.some((stage) => {
        if (stage.kind === 'block') return stage.scripts.some(startsPrograms)
        if (stage.kind !== 'command') return false
        const [part] = stage.words[0]?.values[0] ?? []
        return part?.kind === 'text' && /^(start-process|saps|start|start-job|sajb|start-threadjob)$/i.test(part.text)
      }),
  )
}
