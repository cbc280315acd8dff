/**
 * Commands of PowerShell and cmd that only read, and words by which a search of any other line finds what the floor refuses.
 * Source: learn.microsoft.com, PowerShell module reference and Windows commands; about_Automatic_Variables, about_Quoting_Rules.
 */

import type { Code, Rule } from '../verdict.ts'

/** `reads`: each operand is a file whose content is shown. `lists`: operands are paths or text, and may hold `*`. */
export type ReadOnlyKind = 'reads' | 'lists' | 'plain' | 'folder' | 'git'

const rows = (kind: ReadOnlyKind, names: string) => names.split(' ').map((name): [string, ReadOnlyKind] => [name, kind])

export const readOnlyCommands: Readonly<Record<'pwsh' | 'cmd', ReadonlyMap<string, ReadOnlyKind>>> = {
  pwsh: new Map([
    ...rows('reads', 'get-content gc cat type select-string sls'),
    ...rows('lists', 'get-childitem gci ls dir'),
    ...rows('plain', 'get-location gl pwd get-process gps get-date get-help test-path write-output echo whoami'),
    ...rows('folder', 'set-location sl cd chdir'),
    ...rows('git', 'git'),
  ]),
  cmd: new Map([
    ...rows('reads', 'type'),
    ...rows('lists', 'dir'),
    ...rows('plain', 'echo ver whoami'),
    ...rows('folder', 'cd chdir'),
    ...rows('git', 'git'),
  ]),
}

/** Programs whose rules judge a command in an unread line as well. Names are in small letters. */
export const programsOf: Readonly<Record<string, readonly string[]>> = Object.fromEntries([
  ...'remove-item ri del erase rd rmdir'.split(' ').map((name) => [name, ['rm', '-r']]),
  ...'get-content gc type more'.split(' ').map((name) => [name, ['cat']]),
  ...'move-item mi move rename-item rni ren rename'.split(' ').map((name) => [name, ['mv']]),
  ...'copy-item cpi copy xcopy'.split(' ').map((name) => [name, ['cp']]),
  ...'set-content add-content out-file clear-content'.split(' ').map((name) => [name, ['tee']]),
  ...'invoke-webrequest iwr invoke-restmethod irm'.split(' ').map((name) => [name, ['curl']]),
  ...'invoke-expression iex'.split(' ').map((name) => [name, ['eval']]),
])

export const removes =
  /^(remove-item|ri|rm|rmdir|rd|del|erase|delete)$|(::|\.)delete$|^(vssadmin|wbadmin|shadowcopy)$|^\/(mir|purge)$/i
export const writes = /(::|\.)(write|append)/i
/** Folders of Windows, without the drive. */
export const windowsRoots =
  /^\/?(\*(\.\*)?|(windows|users|program files[^/]*|programdata)(\/(system32|[^/]*[*?][^/]*))*)?\/?$/i
export const sends = /^(curl|wget|scp|sftp|iwr|irm|invoke-(webrequest|restmethod)|start-bitstransfer|\/\/[^/]+\/.*)$/i

/** Anywhere in a line from which quoted texts are taken that nothing evaluates. `unless` undoes a match. */
export const floorPatterns: readonly {
  readonly code: Code
  readonly rule: Rule
  readonly all: readonly RegExp[]
}[] = [
  {
    code: 'D2',
    rule: 'disk-destruction',
    all: [
      /\b(format-volume|clear-disk|initialize-disk|remove-partition|diskpart)\b|\bformat(\.com)?\s+\S{0,3}:|\bbcdedit\s+\/(?!enum)|\bcipher\s+\/w|\bmanage-bde\s.{0,99}-(off|lock|forcerecovery)|physicaldrive\d/i,
    ],
  },
  { code: 'D2', rule: 'root-wipe', all: [/\b(vssadmin|wbadmin|shadowcopy)\b/i, /\bdelete\b/i] },
  {
    code: 'D2',
    rule: 'power-state',
    all: [
      /\b(stop-computer|restart-computer)\b|(^|[\s;&|({@])(shutdown|reboot|logoff)(\.exe)?\s+[-/]|\b(taskkill\s.{0,99}\/im|stop-process\s.{0,99}-name)\s+\*/i,
    ],
  },
  { code: 'D2', rule: 'power-state', all: [/\b(get-process|gps|ps)\s*\|/i, /\b(stop-process|spps|kill)\b/i] },
  {
    code: 'D2',
    rule: 'fork-bomb',
    all: [
      /\bwhile\s*\(\s*(\$true|1)|\bfor\s*\(\s*;\s*;|\bdo\s*\{|\bgoto\b/i,
      /\b(start-(process|job|threadjob)|saps|sajb|start)\b/i,
    ],
  },
  { code: 'D2', rule: 'fork-bomb', all: [/(^|[^\w%])([\w%]{1,60})\s*\|\s*\2([^\w%]|$)/, /\bfunction\b|%0/i] },
  {
    code: 'D2',
    rule: 'remote-code',
    all: [
      /\b(iwr|irm|invoke-webrequest|invoke-restmethod|curl|wget|downloadstring|downloaddata|webclient|httpclient|bitsadmin|start-bitstransfer|https?:)/i,
      /\b(iex|invoke-expression)\b|\[scriptblock\]|\|\s*(ba|z|da)?sh\b|\|\s*(pwsh|powershell|cmd)\b|-c(ommand)?\s+"?\$\(|\b(mshta|regsvr32|rundll32|msiexec)\b/i,
    ],
  },
  // A file that comes from the network and is named once more where a command begins.
  {
    code: 'D2',
    rule: 'remote-code',
    all: [
      /https?:/i,
      /([\w.-]{1,80}\.(exe|bat|cmd|ps1|sh|py|msi))\b[\s\S]{0,400}[;&|\n]\s*(\w+\s+)?[^\s;&|]{0,200}\1/i,
    ],
  },
  { code: 'D2', rule: 'encoded-payload', all: [/\b(pwsh|powershell)(\.exe)?\s(.{0,200}\s)?[-/]e(c|n\w*)?\s/i] },
  {
    code: 'D2',
    rule: 'encoded-payload',
    all: [
      /frombase64string|\[char\]|-join\b|-bxor\b|\.reverse\b|\bcertutil\b.{0,99}-decode/i,
      /\b(iex|invoke-expression|scriptblock)\b|(^|[\s;|])[&.]\s*\(|&&?\s*\S+\.(exe|bat|cmd|ps1)\b/i,
    ],
  },
  { code: 'D1', rule: 'root-shell', all: [/\brunas\b/i] },
]

/** A text in the line is evaluated. */
export const evaluates =
  /\b(iex|invoke-expression|invoke-command|icm|scriptblock|start-process|saps|invokescript|call|start)\b|\.invoke\b|\s-c(ommand)?\s|\s\/[ckr]\s|\|\s*(cmd|pwsh|powershell|(ba|z|da)?sh)\b|"[^"\n]{0,500}\$\(/i
/** Names or the search path mean something else afterwards. */
export const redefines =
  /alias|function|\bs[an]l\b|doskey|\bpath\s*=|:path\b|profile|import-module|ipmo|(^|[\s;&|])\.\s/i
export const movesAway = /\b(cd|chdir|sl|pushd|popd|subst)\b|location\b/i
