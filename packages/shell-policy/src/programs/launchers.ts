/** Containers, clusters, terminal multiplexers, package runners, editors: programs that can be handed a command among other things. */

import { type Program, type Programs, programsNamed } from '../walk/shell.ts'
import { arg, joinedArgs, nothing, unknownStream } from '../walk/value.ts'
import { readOptions, valuesOf } from './options.ts'
import { runPlain } from './reading.ts'

/** Everything behind some words is a command line. */
const behind =
  (words: RegExp, valued: string, isText: boolean): Program =>
  (call, shell) => {
    const options = readOptions(call.args, { valued, stopsAtOperand: true })
    const at = options.operands.findIndex(({ text }) => words.test(text))
    if (at < 0) return runPlain(call, shell)
    const rest = options.operands.slice(at + 1)
    if (rest.length === 0) return unknownStream()
    return isText ? shell.subshell().runCode(joinedArgs(rest), { stdin: call.stdin }) : shell.run(rest, call.stdin)
  }

/** All operands together are a text for shells of other machines. */
const remoteText =
  (valued: string): Program =>
  (call, shell) => {
    const { operands } = readOptions(call.args, { valued, stopsAtOperand: true })
    return operands.length === 0 ? nothing : shell.subshell().runCode(joinedArgs(operands))
  }

/** The values of some options are each a text for a shell. */
const optionTexts =
  (names: string, valued: string): Program =>
  (call, shell) => {
    const options = readOptions(call.args, { valued: `${names} ${valued}` })
    for (const code of valuesOf(options, ...names.split(' '))) shell.subshell().runCode(code, { stdin: call.stdin })
    return unknownStream()
  }

const ansible: Program = ({ args }, shell) => {
  const options = readOptions(args, {
    valued: 'm module-name a args i inventory u user e extra-vars f forks l limit become-user become-method B P t T c',
  })
  const module = valuesOf(options, 'm', 'module-name')[0]?.text ?? 'command'
  for (const code of valuesOf(options, 'a', 'args'))
    if (/(^|\.)(shell|command|raw|script|win_shell)$/.test(module)) shell.subshell().runCode(code)
  return unknownStream()
}

const expectProgram: Program = ({ args, stdin }, shell) => {
  const codes = valuesOf(readOptions(args, { valued: 'c f b' }), 'c')
  for (const { text, taint } of codes.length > 0 ? codes : [{ ...arg(stdin.text), taint: stdin.taint }])
    for (const [, command = ''] of text.matchAll(/(?:spawn|exec|system)\s+([^;\n\]]{1,500})/g))
      shell.subshell().runCode({ text: command, taint, isGlob: false })
  return unknownStream()
}

/** `m4`, `ed`: programs of text that can call a shell. */
const textProgram =
  (pattern: RegExp): Program =>
  (call, shell) => {
    const options = readOptions(call.args, { valued: 'c s D I p' })
    for (const { text, taint } of [arg(call.stdin.text), ...valuesOf(options, 'c')])
      for (const found of text.slice(0, 20_000).matchAll(pattern))
        if (found[1] !== undefined) shell.runSmuggled({ text: found[1].replace(/'$/, ''), taint, isGlob: false })
    return unknownStream(call.stdin.taint)
  }

const just: Program = ({ args, stdin }, shell) => {
  const at = args.findIndex(({ text }) => text === '--command' || text === '-c')
  for (const command of valuesOf(readOptions(args, { valued: 'shell' }), 'shell')) shell.runSmuggled(command)
  return at < 0 ? unknownStream() : shell.run(args.slice(at + 1), stdin)
}

const adb: Program = (call, shell) => {
  const options = readOptions(call.args, { valued: 's t H P L', stopsAtOperand: true })
  if (/^(reboot|reboot-bootloader)$/.test(options.operands[0]?.text ?? '')) shell.report('D2', 'power-state')
  return behind(/^shell$/, 's t H P L', true)(call, shell)
}

const chroot: Program = (call, shell) => {
  const options = readOptions(call.args, { valued: 'userspec groups', stopsAtOperand: true })
  shell.report('Q2', 'privilege')
  return options.operands.length > 1 ? shell.run(options.operands.slice(1), call.stdin) : nothing
}

export const launchers: Programs = {
  ...programsNamed('lxc incus distrobox', behind(/^--$/, '', false)),
  multipass: behind(/^exec$/, '', false),
  toolbox: behind(/^run$/, 'c container', false),
  just,
  vagrant: optionTexts('c command', ''),
  wsl: (call, shell) => {
    const { operands } = readOptions(call.args, { valued: 'd distribution u user cd', stopsAtOperand: true })
    const words = operands[0]?.text === '--' || operands[0]?.text === '-e' ? operands.slice(1) : operands
    return words.length === 0 ? nothing : shell.run(words, call.stdin)
  },
  adb,
  chroot,
  ansible,
  expect: expectProgram,
  m4: textProgram(/(?:e?syscmd)\s*\(\s*`?([^)]{1,500})/g),
  ed: textProgram(/(?:^|\n)\s*(?:\d*(?:r|w|e)?\s*)?!(.{1,500})/g),
  ex: textProgram(/(?:^|\n|\|)\s*:?(?:silent\s*)?(?:r\s*|w\s*)?!(.{1,500})/g),
  ftp: textProgram(/(?:^|\n)\s*!(.{1,500})/g),
  pdsh: remoteText('w x l f t u R g'),
  hg: (call, shell) => {
    const options = readOptions(call.args, { valued: 'c command' })
    if (options.operands[0]?.text === 'bisect')
      for (const text of valuesOf(options, 'c', 'command')) shell.subshell().runCode(text)
    return unknownStream()
  },
  dsh: remoteText('m g f r o n'),
  clush: remoteText('w x l f g'),
  ...programsNamed('pssh parallel-ssh', remoteText('h H l p t o e O x')),
  salt: (call, shell) => {
    const at = call.args.findIndex(({ text }) => /^cmd\.(run|shell|exec_code)/.test(text))
    const code = at < 0 ? undefined : call.args[at + 1]
    return code === undefined ? unknownStream() : shell.subshell().runCode(code)
  },
  gcloud: (call, shell) => {
    const [code] = valuesOf(readOptions(call.args, { valued: 'command project zone' }), 'command')
    if (/print-(access|identity)-token/.test(joinedArgs(call.args).text)) shell.report('Q2', 'credential-read')
    return code === undefined ? unknownStream() : shell.subshell().runCode(code)
  },
  ip: (call, shell) => {
    const at = call.args.findIndex(({ text }) => text === 'exec')
    if (at >= 0 && /^(netns|vrf)$/.test(call.args[0]?.text ?? '')) return shell.run(call.args.slice(at + 2), call.stdin)
    if (
      /\b(link|addr|address|route|rule|neigh|netns|tunnel)\b.*\b(set|add|del|delete|flush|replace|change)\b/.test(
        joinedArgs(call.args).text,
      )
    )
      shell.report('Q2', 'privilege')
    return unknownStream()
  },
}
