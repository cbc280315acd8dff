/** What variables of PowerShell hold. Those of the environment are the shell's own; the others are kept under names that no shell has. */

import type { PolicyState } from '../state/policy-state.ts'
import { valuesOfName } from '../walk/evaluated-values.ts'
import { type Arg, arg, isStatic, taints, unknownMark } from '../walk/value.ts'
import type { PowerShellHost } from './host.ts'
import { type Item, item, unknownItem } from './item.ts'

const own = (name: string) => `ps:${name}`
const withoutScope = (name: string) => name.replace(/^(global|script|local|private|using|variable):/, '')

/** `name` in small letters. */
export function variableValue(name: string, { state, gathered }: PowerShellHost): Item {
  const plain = withoutScope(name)
  if (plain.startsWith('env:')) return itemFor(environment(plain.slice(4), state))
  if (plain === 'home') return item(state.home)
  if (plain === 'pwd') return item(state.cwd.value ?? unknownMark)
  if (plain === 'profile') return item(`${state.home}/.config/powershell/Microsoft.PowerShell_profile.ps1`)
  if (plain === 'true' || plain === 'false') return item(plain)
  if (/^(null|\?|\^|\$|lastexitcode|error|psversiontable|pid|host|matches)$/.test(plain))
    return plain === 'null' ? item('') : unknownItem()
  const known = state.variables.get(own(plain))
  const value = known?.kind === 'scalar' ? known.values[0] : undefined
  const held = gathered.knownCode.get(plain) ?? []
  if (value !== undefined) return { ...itemFor(value), code: held }
  return { ...unknownItem(secretName.test(plain) ? taints.secretVariable : taints.none), code: held }
}

const itemFor = (value: Arg): Item => ({ arg: value, code: [], listed: null })

export function setValue(name: string, value: Arg, state: PolicyState): void {
  state.variables.set(own(withoutScope(name)), { kind: 'scalar', values: [value] })
}

const secretName = /token|secret|password|passwd|api_?key|credential/

const ofWindows: Readonly<Record<string, string>> = {
  TEMP: '/tmp',
  TMP: '/tmp',
  SYSTEMDRIVE: 'C:',
  HOMEDRIVE: 'C:',
  SYSTEMROOT: 'C:\\Windows',
  WINDIR: 'C:\\Windows',
  PROGRAMFILES: 'C:\\Program Files',
  PROGRAMDATA: 'C:\\ProgramData',
  PUBLIC: 'C:\\Users\\Public',
  COMSPEC: 'cmd',
}

/** Names have no case on Windows; elsewhere nearly all are written in capitals. */
export function environment(name: string, state: PolicyState): Arg {
  const upper = name.toUpperCase()
  if (upper === 'USERPROFILE' || upper === 'HOMEPATH') return arg(state.home)
  if (upper === 'USERNAME') return arg(state.user)
  if (upper === 'APPDATA') return arg(`${state.home}/AppData/Roaming`)
  if (upper === 'LOCALAPPDATA') return arg(`${state.home}/AppData/Local`)
  const [given = arg(unknownMark)] = valuesOfName(upper, state)
  const windows = ofWindows[upper]
  return isStatic(given) || windows === undefined ? given : arg(windows)
}
