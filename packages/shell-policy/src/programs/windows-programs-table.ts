/**
 * Programs of Windows by what their arguments ask for. The first row that fits counts; a program that has rows and fits none is harmless.
 * Source: learn.microsoft.com, Windows commands.
 */

import type { Code, Rule } from '../verdict.ts'

export interface WindowsRow {
  readonly args: RegExp
  readonly effect: readonly [code: Code, rule: Rule] | null
}

const everything = /^/
const always = (code: Code, rule: Rule): readonly WindowsRow[] => [{ args: everything, effect: [code, rule] }]
const unless = (args: RegExp, code: Code, rule: Rule): readonly WindowsRow[] => [
  { args, effect: null },
  { args: everything, effect: [code, rule] },
]
const when = (args: RegExp, code: Code, rule: Rule): readonly WindowsRow[] => [{ args, effect: [code, rule] }]
const harmless: readonly WindowsRow[] = []

const web = /(https?|ftp):/i

export const windowsPrograms: Readonly<Record<string, readonly WindowsRow[]>> = {
  format: unless(/^\/\?|^$/, 'D2', 'disk-destruction'),
  diskpart: always('D2', 'disk-destruction'),
  cipher: when(/\/w/i, 'D2', 'disk-destruction'),
  'manage-bde': when(/-(off|lock|forcerecovery)/i, 'D2', 'disk-destruction'),
  bcdedit: unless(/^(\/enum.*)?$/i, 'D2', 'disk-destruction'),
  vssadmin: when(/delete|resize/i, 'D2', 'root-wipe'),
  wbadmin: when(/delete/i, 'D2', 'root-wipe'),
  shutdown: unless(/^\/\?|^(\/a|-a)$/i, 'D2', 'power-state'),
  logoff: always('D2', 'power-state'),
  taskkill: [
    { args: /\/im\s+"?\*/i, effect: ['D2', 'power-state'] },
    { args: /agentpty|\bnode(\.exe)?\b/i, effect: ['Q2', 'self-tampering'] },
  ],
  mshta: [
    { args: web, effect: ['D2', 'remote-code'] },
    { args: everything, effect: ['Q2', 'unresolved'] },
  ],
  regsvr32: [
    { args: web, effect: ['D2', 'remote-code'] },
    { args: everything, effect: ['Q2', 'unresolved'] },
  ],
  rundll32: [
    { args: web, effect: ['D2', 'remote-code'] },
    { args: everything, effect: ['Q2', 'unresolved'] },
  ],
  msiexec: [
    { args: web, effect: ['D2', 'remote-code'] },
    { args: everything, effect: ['Q2', 'privilege'] },
  ],
  installutil: always('Q2', 'unresolved'),
  cscript: always('Q2', 'unresolved'),
  wscript: always('Q2', 'unresolved'),
  runas: always('D1', 'root-shell'),
  schtasks: unless(/^(\/query.*)?$/i, 'Q2', 'persistence'),
  sc: unless(/^\s*(query|queryex|qc|getdisplayname)\b/i, 'Q2', 'persistence'),
  reg: [
    { args: /^\s*(query|compare)\b/i, effect: null },
    { args: /^\s*save\s+hklm\\(sam|system|security)/i, effect: ['Q2', 'credential-read'] },
    { args: /\\(run|runonce|winlogon)\b/i, effect: ['Q2', 'persistence'] },
    { args: everything, effect: ['Q2', 'privilege'] },
  ],
  regedit: always('Q2', 'privilege'),
  setx: always('Q2', 'persistence'),
  assoc: when(/=/, 'Q2', 'persistence'),
  ftype: when(/=/, 'Q2', 'persistence'),
  net: [
    { args: /^\s*(user|localgroup|group)\b.*\/(add|delete|active)|^\s*user\s+\S+\s+\S/i, effect: ['Q2', 'privilege'] },
    { args: /^\s*(stop|start|share|use)\s+\S/i, effect: ['Q2', 'privilege'] },
  ],
  netsh: unless(/\bshow\b/i, 'Q2', 'privilege'),
  icacls: when(/\/(grant|deny|remove|reset|setowner|inheritance)/i, 'Q2', 'privilege'),
  takeown: always('Q2', 'privilege'),
  cacls: when(/\/[egrpd]\b/i, 'Q2', 'privilege'),
  auditpol: when(/\/(set|clear|remove)/i, 'Q2', 'privilege'),
  wevtutil: when(/^\s*(cl|clear-log|sl)\b/i, 'Q2', 'privilege'),
  fsutil: when(/\b(setzerodata|deletejournal|createnew|dirty)\b/i, 'Q2', 'privilege'),
  wmic: [
    { args: /shadowcopy.*delete/i, effect: ['D2', 'root-wipe'] },
    { args: /\b(call|create|delete|set)\b/i, effect: ['Q2', 'unresolved'] },
  ],
  mimikatz: always('Q2', 'credential-read'),
  procdump: when(/lsass/i, 'Q2', 'credential-read'),
  cmdkey: unless(/^\/list/i, 'Q2', 'credential-read'),
  doskey: when(/=/, 'Q2', 'shadowing'),
  subst: when(/\S/, 'Q2', 'privilege'),
  mklink: always('Q1', 'outside-write'),
  ...Object.fromEntries(
    `systeminfo tasklist whoami hostname ipconfig ping tracert nslookup netstat getmac ver driverquery where findstr find more tree fc comp sort
    timeout chcp cls title date time vol label path query qwinsta powercfg verify clip`
      .split(/\s+/)
      .map((name) => [name, harmless]),
  ),
}
