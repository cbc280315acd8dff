/** Programs that change the machine: disks, power, processes, accounts, protections, and those that run others with more rights. */

import { baseName } from '../places/paths.ts'
import { isDisk } from '../places/places.ts'
import type { Code, Rule } from '../verdict.ts'
import { type Program, type Programs, programsNamed, type Shell } from '../walk/shell.ts'
import { hasTaint, isKnown, joinedArgs, nothing, taints, unknownMark, unknownStream } from '../walk/value.ts'
import { reportElevation, runElevated, shellNames } from './elevated.ts'
import { machineTable } from './machine-table.ts'
import { hasFlag, readOptions, valuesOf } from './options.ts'
import { always, runPlain } from './reading.ts'

/** The rows of the table whose pattern the arguments match. */
const byTable: Program = (call, shell) => {
  const line = joinedArgs(call.args).text
  const matching = (machineTable[call.name] ?? []).filter(([pattern]) => pattern.test(line))
  for (const [, code, rule] of matching) shell.report(code, rule)
  if (!isKnown({ text: line }) && call.args.some(({ text }) => text === unknownMark)) shell.report('Q2', 'unresolved')
  const output = runPlain(call, shell)
  return matching.some(([, , rule]) => rule === 'credential-read')
    ? { ...output, taint: output.taint | taints.secret }
    : output
}

const makeFileSystem: Program = ({ args }, shell) => {
  const options = readOptions(args, { valued: 't L U b i N m type label' })
  for (const path of options.operands) {
    const resolved = shell.resolve(path.text)
    if (resolved === null || isDisk(resolved)) shell.report('D2', 'disk-destruction')
    else if (!/^\d+$/.test(path.text)) shell.write(path, nothing)
  }
  return nothing
}

const kill: Program = ({ args }, shell) => {
  const words = args.map(({ text }) => text)
  if (words.some((word) => /^-l|^-L|^--list/.test(word))) return unknownStream()
  const from =
    words[0] === '-s' || words[0] === '-n'
      ? 2
      : /^-(\d+|[A-Za-z]+\d?|-signal.*)$/.test(words[0] ?? '') && words.length > 1
        ? 1
        : 0
  for (const target of args.slice(from)) {
    if (target.text === '--') continue
    if (target.text === '-1' || target.text === '1' || hasTaint(target, taints.allProcesses))
      shell.report('D2', 'power-state')
    else if (hasTaint(target, taints.ownProcess)) shell.report('Q2', 'self-tampering')
    else if (!isKnown(target)) shell.report('Q2', 'unresolved')
  }
  return nothing
}

/** Patterns that fit every process. */
const anyProcess = /^(\.|\.\*|\.\+|\^|\$|\*|\^\.\*\$?|\[a-z\]\*?|.?)$/

const killByName: Program = ({ name, args }, shell) => {
  const options = readOptions(
    args.filter(({ text }) => !/^-(\d+|[A-Z]{2,}\d?)$/.test(text)),
    {
      valued:
        'u U user euid uid s signal t terminal P parent g pgroup G group F pidfile o older-than y younger-than n ns',
    },
  )
  const targets = options.operands
  if (name !== 'killall' && targets.length === 0 && hasFlag(options, 'u', 'U', 'user', 'euid', 'uid'))
    shell.report('D2', 'power-state')
  if (name === 'killall' && targets.length === 0 && hasFlag(options, 'u', 'user')) shell.report('D2', 'power-state')
  for (const { text } of targets) {
    if (!isKnown({ text })) shell.report('Q2', 'unresolved')
    else if (anyProcess.test(text) && (name !== 'killall' || hasFlag(options, 'r', 'regexp')))
      shell.report('D2', 'power-state')
    else if (isOwnName(text)) shell.report('Q2', 'self-tampering')
  }
  return nothing
}

/** The server’s name, or one that it shares. */
export const isOwnName = (text: string) => /agentpty|ptyhost|^(node|nodejs|\^?node\$?)$/.test(text)

/** Lists ids of processes: of all, or of those that may be the server. */
const listProcesses: Program = ({ name, args }) => {
  const isAll = name === 'ps' && !args.some(({ text }) => /^-?[pC]$|^--(pid|ppid)|-C/.test(text))
  const isOwn = args.some(({ text }) => isOwnName(text))
  const isAny = name !== 'ps' && args.some(({ text }) => /^(\.|\.\*|)$/.test(text))
  return unknownStream((isOwn ? taints.ownProcess : 0) | (isAll || isAny ? taints.allProcesses : 0))
}

const sudoOptions =
  'u g h p C r t T U D R user group host prompt close-from role type command-timeout other-user chdir chroot'

const sudo: Program = (call, shell) => {
  const options = readOptions(call.args, { valued: sudoOptions, stopsAtOperand: true })
  const words = options.operands.filter(
    ({ text }, index, all) =>
      !(/^[A-Za-z_]\w*=/.test(text) && all.slice(0, index + 1).every((one) => /^[A-Za-z_]\w*=/.test(one.text))),
  )
  for (const { text, taint, isGlob } of options.operands.slice(0, options.operands.length - words.length)) {
    const equals = text.indexOf('=')
    shell.assign(text.slice(0, equals), { text: text.slice(equals + 1), taint, isGlob })
  }
  if (words.length === 0 && hasFlag(options, 'V', 'k', 'K', 'version')) return unknownStream()
  if (hasFlag(options, 'l', 'list', 'v', 'validate', 'k', 'K')) shell.report('Q1', 'privilege')
  if (hasFlag(options, 'l', 'list')) return unknownStream()
  if (hasFlag(options, 'e', 'edit')) {
    for (const path of words) shell.write(path, unknownStream())
    return reported(shell, 'Q2', 'privilege')
  }
  const opensShell = hasFlag(options, 'i', 'login', 's', 'shell')
  if (words.length === 0) return opensShell ? reported(shell, 'D1', 'root-shell') : nothing
  if (opensShell) shell.subshell().runCode(joinedArgs(words), { stdin: call.stdin })
  const [folder] = valuesOf(options, 'D', 'chdir')
  return runElevated(words, call, folder === undefined ? shell : shell.subshell().inFolder(folder))
}

function reported(shell: Shell, code: Code, rule: Rule) {
  shell.report(code, rule)
  return unknownStream()
}

const doas: Program = (call, shell) => {
  const options = readOptions(call.args, { valued: 'u C a', stopsAtOperand: true })
  if (options.operands.length === 0) return options.flags.has('s') ? reported(shell, 'D1', 'root-shell') : nothing
  return runElevated(options.operands, call, shell)
}

const su: Program = (call, shell) => {
  const options = readOptions(
    call.args.filter(({ text }) => text !== '-'),
    { valued: 'c s g G w command shell group session-command' },
  )
  const code = valuesOf(options, 'c', 'command', 'session-command')
  const [who] = options.operands
  const behind =
    call.name === 'runuser' && options.flags.has('u')
      ? readOptions(call.args, { valued: 'u g G user group', stopsAtOperand: true }).operands
      : []
  if (behind.length > 0) return runElevated(behind, call, shell)
  const isStdin = !call.readsTerminal && call.stdin !== nothing
  if (code.length === 0 && !isStdin) return reported(shell, 'D1', 'root-shell')
  reportElevation(code.every(isKnown) && (who === undefined || isKnown(who)) ? 'Q1' : 'Q2', shell)
  for (const one of code) {
    if (shellNames.test(baseName(one.text.trim()))) shell.report('D1', 'root-shell')
    shell.subshell().runCode(one, { stdin: call.stdin })
  }
  return isStdin && code.length === 0 ? shell.subshell().runCode({ ...call.stdin, isGlob: false }) : unknownStream()
}

const pkexec: Program = (call, shell) => {
  const { operands } = readOptions(call.args, { valued: 'user u', stopsAtOperand: true })
  if (operands.length === 0) return reported(shell, 'D1', 'root-shell')
  return runElevated(operands, call, shell)
}

const nsenter: Program = (call, shell) => {
  const options = readOptions(call.args, { valued: 't target r root w wd S G setuid setgid', stopsAtOperand: true })
  const target = valuesOf(options, 't', 'target')[0]?.text
  if (target === '1' || target === undefined || !isKnown({ text: target })) shell.report('D1', 'root-shell')
  return options.operands.length === 0 ? nothing : shell.run(options.operands, call.stdin)
}

const userChange: Program = ({ name, args }, shell) => {
  const options = readOptions(args, { valued: 'u uid G groups g gid s shell d home c p e f a M add' })
  const groups = [...valuesOf(options, 'G', 'groups'), ...options.operands].flatMap(({ text }) => text.split(','))
  const isRoot = valuesOf(options, 'u', 'uid').some(({ text }) => /^0*$/.test(text))
  const isAdmin = groups.some((group) => /^(sudo|wheel|root|admin|docker|lxd|adm|disk|shadow|libvirt|kvm)$/.test(group))
  shell.report(isRoot || isAdmin || /^(chpasswd|visudo|vipw|vigr|newusers)$/.test(name) ? 'D2' : 'Q2', 'privilege')
  return nothing
}

const passwd: Program = ({ args }, shell) => {
  const { operands, flags } = readOptions(args, { valued: 'n x w i R' })
  if (flags.has('S') || flags.has('status')) return unknownStream()
  shell.report(
    operands.some(({ text }) => text === 'root') || flags.has('d') || flags.has('stdin') ? 'D2' : 'Q2',
    'privilege',
  )
  return nothing
}

const systemctl: Program = ({ args }, shell) => {
  const options = readOptions(args, { valued: 't type H host M machine n lines o output p property s signal root' })
  const [verb = '', ...units] = options.operands.map(({ text }) => text)
  if (
    /^(reboot|poweroff|halt|kexec|soft-reboot|suspend|hibernate|hybrid-sleep|suspend-then-hibernate|emergency|rescue|exit|isolate|switch-root)$/.test(
      verb,
    )
  )
    shell.report('D2', 'power-state')
  if (
    /^(start|isolate)$/.test(verb) &&
    units.some((unit) =>
      /^(reboot|poweroff|halt|kexec|shutdown|ctrl-alt-del|rescue|emergency|runlevel[06]|suspend|hibernate)(\.target)?$/.test(
        unit,
      ),
    )
  )
    shell.report('D2', 'power-state')
  if (/^(stop|disable|kill|restart|mask|reload|try-restart)$/.test(verb) && units.some((unit) => /agentpty/.test(unit)))
    shell.report('Q2', 'self-tampering')
  if (
    /^(stop|disable|mask)$/.test(verb) &&
    units.some((unit) =>
      /firewall|ufw|iptables|nftables|apparmor|auditd|selinux|fail2ban|clamav|falcon|crowdstrike|ossec|wazuh|osquery|rsyslog|journald/.test(
        unit,
      ),
    )
  )
    shell.report('Q2', 'privilege')
  if (
    /^(enable|link|edit|set-default|preset|unmask|reenable|import-environment|set-environment|add-wants|add-requires|set-property|revert)$/.test(
      verb,
    )
  )
    shell.report('Q2', 'persistence')
  return unknownStream()
}

const systemdRun: Program = (call, shell) => {
  const options = readOptions(call.args, {
    valued:
      'u p E M H unit property description slice setenv machine host uid gid nice working-directory on-active on-boot on-startup on-calendar on-unit-active on-unit-inactive timer-property service-type',
    stopsAtOperand: true,
  })
  if ([...options.flags].some((flag) => flag.startsWith('on-') || flag === 'timer-property'))
    shell.report('Q2', 'persistence')
  if (!hasFlag(options, 'user') && hasFlag(options, 'shell', 'S')) shell.report('D1', 'root-shell')
  for (const one of valuesOf(options, 'E', 'setenv')) {
    const equals = one.text.indexOf('=')
    if (equals > 0) shell.assign(one.text.slice(0, equals), { ...one, text: one.text.slice(equals + 1) })
  }
  return options.operands.length === 0 ? nothing : shell.run(options.operands, call.stdin)
}

const initLevel: Program = ({ args }, shell) => {
  if (args.some(({ text }) => /^[06sS1]$/.test(text))) shell.report('D2', 'power-state')
  else if (args.some((one) => !isKnown(one))) shell.report('Q2', 'unresolved')
  return nothing
}

const shutdown: Program = ({ args }, shell) => {
  if (!args.some(({ text }) => text === '-c' || text === '--help' || text === '-w' || text === '--show'))
    shell.report('D2', 'power-state')
  return nothing
}

export const machinePrograms: Programs = {
  ...Object.fromEntries(Object.keys(machineTable).map((name) => [name, byTable])),
  ...programsNamed(
    'mkfs mke2fs newfs mkswap mkdosfs mkntfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.exfat mkfs.ntfs mkfs.f2fs mkfs.minix mkfs.cramfs mkfs.bfs mkfs.msdos mkfs.jfs mkfs.reiserfs mkfs.nilfs2 mkfs.erofs mkexfatfs newfs_hfs newfs_msdos newfs_apfs mkudffs',
    makeFileSystem,
  ),
  kill,
  ...programsNamed('pkill killall skill xkill', killByName),
  killall5: always('D2', 'power-state'),
  ...programsNamed('ps pgrep pidof', listProcesses),
  ...programsNamed('sudo sudo-rs', sudo),
  sudoedit: (call, shell) => {
    for (const path of readOptions(call.args).operands) shell.write(path, unknownStream())
    return reported(shell, 'Q2', 'privilege')
  },
  doas,
  ...programsNamed('su runuser', su),
  pkexec,
  run0: (call, shell) => {
    const { operands } = readOptions(call.args, {
      valued: 'u g D user group nice chdir setenv unit property slice machine background',
      stopsAtOperand: true,
    })
    return operands.length === 0 ? reported(shell, 'D1', 'root-shell') : runElevated(operands, call, shell)
  },
  nsenter,
  ...programsNamed(
    'useradd adduser usermod groupadd groupmod gpasswd addgroup chpasswd newusers visudo vipw vigr userdel deluser groupdel chsh',
    userChange,
  ),
  passwd,
  systemctl,
  'systemd-run': systemdRun,
  ...programsNamed('init telinit', initLevel),
  ...programsNamed('shutdown reboot halt poweroff', shutdown),
}
