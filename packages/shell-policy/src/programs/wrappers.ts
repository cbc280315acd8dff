/** Programs that run the command behind their own options. */

import { type Program, type Programs, programsNamed, type Shell } from '../walk/shell.ts'
import { type Arg, isKnown, joinedArgs, nothing } from '../walk/value.ts'
import { readOptions, valuesOf } from './options.ts'
import { runPlain } from './reading.ts'
import { subcommandTable, wrapperTable } from './wrappers-table.ts'

/** The command behind the options, after some words of the wrapper’s own. */
function behindOptions(valued: string, skipped: number): Program {
  return ({ args, stdin, name }, shell) => {
    const options = readOptions(args, { valued, stopsAtOperand: true })
    const words = options.operands.slice(name === 'taskset' && options.flags.has('c') ? 1 : skipped)
    const from = assignmentsAt(words)
    assignWords(words.slice(0, from), shell)
    const dash = words.slice(words[from]?.text === '--' ? from + 1 : from)
    if (dash.length === 0) return nothing
    return shell.run(dash, stdin)
  }
}

function assignmentsAt(words: readonly Arg[]): number {
  const from = words.findIndex(({ text }) => !/^[A-Za-z_][\w.%()-]*=/.test(text))
  return from < 0 ? words.length : from
}

function assignWords(words: readonly Arg[], shell: Shell): void {
  for (const { text, taint, isGlob } of words) {
    const equals = text.indexOf('=')
    shell.assign(text.slice(0, equals), { text: text.slice(equals + 1), taint, isGlob })
  }
}

/** `bwrap --bind FROM TO … CMD`: some of its options take two words. */
const bubblewrap: Program = ({ args, stdin }, shell) => {
  let at = 0
  while (args[at]?.text.startsWith('-') === true) {
    const { text = '' } = args[at] ?? {}
    if (text === '--') return shell.run(args.slice(at + 1), stdin)
    at += /^--(ro-|dev-)?bind(-try|-data)?$|^--(symlink|setenv|file|bind-fd|ro-bind-fd|overlay|chmod)$/.test(text)
      ? 3
      : /^--(unshare-\w+|share-net|die-with-parent|new-session|as-pid-1|clearenv|keep-\w+|disable-userns|assert-userns-disabled)$/.test(
            text,
          )
        ? 1
        : 2
  }
  return at < args.length ? shell.run(args.slice(at), stdin) : nothing
}

/** `ssh-agent CMD`; without one it only says how it is reached. */
const agent: Program = ({ args, stdin }, shell) => {
  const { operands } = readOptions(args, { valued: 'a E O P t', stopsAtOperand: true })
  return operands.length === 0 ? nothing : shell.run(operands, stdin)
}

const env: Program = ({ args, stdin }, shell) => {
  const options = readOptions(args, { valued: 'u unset C chdir S split-string', stopsAtOperand: true })
  const [split] = valuesOf(options, 'S', 'split-string')
  const from = assignmentsAt(options.operands)
  const isCommand = split !== undefined || from < options.operands.length
  const inner = isCommand ? shell.within({ variables: new Map(shell.state.variables) }) : shell
  if (split !== undefined) return inner.runCode(joinedArgs([split, ...options.operands]), { stdin })
  assignWords(options.operands.slice(0, from), inner)
  if (!isCommand) return { ...nothing, text: '\0', taint: 4 }
  const [folder] = valuesOf(options, 'C', 'chdir')
  return inner.inFolder(folder).run(options.operands.slice(from), stdin)
}

/** `poetry run CMD`; its other words are its own business. */
const behindSubcommand: Program = (call, shell) => {
  const [words = /^$/, valued = '', skipped = 0] = subcommandTable[call.name] ?? []
  const at = call.args.findIndex(({ text }) => !text.startsWith('-'))
  if (!words.test(call.args[at]?.text ?? '')) return runPlain(call, shell)
  return behindOptions(valued, skipped)({ ...call, args: call.args.slice(at + 1) }, shell)
}

/** The words behind the options are one text for a shell. */
function shellText(valued: string): Program {
  return ({ args, stdin }, shell) => {
    const { operands: words } = readOptions(args, { valued, stopsAtOperand: true })
    return words.length === 0 ? nothing : shell.subshell().runCode(joinedArgs(words), { stdin })
  }
}

/** Runs every operand as a separate shell text. */
function shellTexts(valued: string, ...names: readonly string[]): Program {
  return ({ args, stdin }, shell) => {
    const options = readOptions(args, { valued })
    for (const text of [...options.operands, ...valuesOf(options, ...names)]) shell.subshell().runCode(text, { stdin })
    return nothing
  }
}

/** `nix-shell -p PKG --run TEXT`: a text after an option in any position; the operands are no command. */
const textOption =
  (valued: string, ...names: readonly string[]): Program =>
  ({ args, stdin }, shell) => {
    for (const hasLongSingleDash of [false, true])
      for (const text of valuesOf(readOptions(args, { valued, hasLongSingleDash }), ...names))
        shell.subshell().runCode(text, { stdin })
    return nothing
  }

/** `script -c TEXT FILE`. */
const script: Program = (call, shell) => {
  const valued = 'c command E echo I log-in O log-out B log-io T log-timing m o'
  for (const path of readOptions(call.args, { valued }).operands.slice(0, 1)) shell.write(path, nothing)
  return textOption(valued, 'c', 'command')(call, shell)
}

/** `flock FILE -c TEXT`, `flock FILE CMD`. */
const withText =
  (valued: string, ...names: readonly string[]): Program =>
  ({ args, stdin }, shell) => {
    const options = readOptions(args, { valued, stopsAtOperand: true })
    for (const text of valuesOf(options, ...names)) shell.subshell().runCode(text, { stdin })
    const rest = options.operands.slice(1)
    if (rest[0]?.text === '-c' && rest[1] !== undefined) return shell.subshell().runCode(rest[1], { stdin })
    return rest.length === 0 ? nothing : shell.run(rest, stdin)
  }

/** A debugger runs the program behind `--args`, and its commands may be a shell’s. */
const debuggerProgram: Program = ({ args, stdin }, shell) => {
  const options = readOptions(args, {
    valued: 'ex eval-command iex x command p pid o one-line S source',
    hasLongSingleDash: true,
  })
  for (const { text, taint } of valuesOf(options, 'ex', 'eval-command', 'iex', 'o', 'one-line')) {
    const shellPart =
      /^\s*(?:!|shell\s|pipe\s|platform shell\s|(?:call|print|p)\s+\(?\w*\)?\s*system\s*\()\s*(.*)$/s.exec(text)
    if (shellPart?.[1] !== undefined)
      shell.runSmuggled({ text: shellPart[1].replace(/^"|"?\)?$/g, ''), taint, isGlob: false })
    else if (/^\s*(python|source|call)\b/.test(text)) shell.report('Q2', 'smuggled-exec')
  }
  for (const pid of valuesOf(options, 'p', 'pid'))
    if (!isKnown(pid) && (pid.taint & 64) !== 0) shell.report('Q2', 'self-tampering')
  const at = args.findIndex(({ text }) => text === '--args' || text === '--')
  if (at >= 0 && at < args.length - 1) return shell.run(args.slice(at + 1), stdin)
  return nothing
}

const tracer: Program = (call, shell) => {
  const options = readOptions(call.args, {
    valued: 'e o p P u s a S I O E X b trace attach output',
    stopsAtOperand: true,
  })
  for (const pid of valuesOf(options, 'p', 'attach')) if ((pid.taint & 64) !== 0) shell.report('Q2', 'self-tampering')
  for (const path of valuesOf(options, 'o', 'output')) {
    if (path.text.startsWith('|') || path.text.startsWith('!')) shell.runSmuggled({ ...path, text: path.text.slice(1) })
    else shell.write(path, nothing)
  }
  return options.operands.length === 0 ? nothing : shell.run(options.operands, call.stdin)
}

export const wrappers: Programs = {
  ...Object.fromEntries(
    wrapperTable.flatMap(([names, valued, skipped]) =>
      names.split(' ').map((name) => [name, behindOptions(valued, skipped)]),
    ),
  ),
  ...Object.fromEntries(Object.keys(subcommandTable).map((name) => [name, behindSubcommand])),
  env,
  bwrap: bubblewrap,
  'ssh-agent': agent,
  kitty: ({ args, stdin }, shell) => {
    const { operands } = readOptions(args, { valued: 'T title d directory o override c config', stopsAtOperand: true })
    const words = operands[0]?.text === '@' ? operands.slice(2) : operands
    return words.length === 0 || words[0]?.text.startsWith('+') === true ? nothing : shell.run(words, stdin)
  },
  guix: (call, shell) => {
    const at = call.args.findIndex(({ text }) => text === '--')
    return at < 0 ? nothing : shell.run(call.args.slice(at + 1), call.stdin)
  },
  asciinema: textOption('c command t title i idle-time-limit', 'c', 'command'),
  ttyrec: textOption('e command', 'e'),
  sbatch: textOption('wrap J p t N n o e', 'wrap'),
  et: textOption('c command p port', 'c', 'command'),
  'consul-template': textOption('exec template config', 'exec'),
  watch: shellText('n interval d differences'),
  hyperfine: shellTexts(
    'w warmup r runs m min-runs M max-runs p prepare c cleanup s setup L parameter-list P parameter-scan export-json export-markdown export-csv n command-name',
    ...'p prepare c cleanup s setup conclude C'.split(' '),
  ),
  concurrently: shellTexts('n names c prefix-colors m max-processes p prefix l timestamp-format'),
  script,
  flock: withText('w wait timeout E conflict-exit-code c command', 'c', 'command'),
  ...programsNamed('sg newgrp', withText('c', 'c')),
  'nix-shell': textOption('run command p packages A attr I', 'run', 'command'),
  nix: ({ args, stdin }, shell) => {
    const at = args.findIndex(({ text }) => /^(-c|--command)$/.test(text))
    if (at >= 0) return shell.run(args.slice(at + 1), stdin)
    const dash = args.findIndex(({ text }) => text === '--')
    const [verb, flake] = readOptions(args.slice(0, dash), { stopsAtOperand: false }).operands
    if (dash < 0 || verb?.text !== 'run' || flake === undefined) return nothing
    return shell.run([{ ...flake, text: flake.text.replace(/^.*#/s, '') }, ...args.slice(dash + 1)], stdin)
  },
  ...programsNamed('gdb lldb', debuggerProgram),
  ...programsNamed('strace ltrace', tracer),
  entr: ({ args, stdin }, shell) => {
    const { operands, flags } = readOptions(args, { stopsAtOperand: true })
    if (flags.has('s')) return operands[0] === undefined ? nothing : shell.subshell().runCode(operands[0], { stdin })
    return operands.length === 0 ? nothing : shell.run(operands, stdin)
  },
  nodemon: ({ args, stdin }, shell) => {
    for (const text of valuesOf(readOptions(args, { valued: 'x exec w watch e ext i ignore' }), 'x', 'exec'))
      shell.subshell().runCode(text, { stdin })
    return nothing
  },
}
