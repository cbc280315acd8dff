/** The command line: what is printed, where, and with which exit code. */

import { parseArgs } from 'node:util'
import { defined, type ErrorCode, isTermError, nearNames, type TermError } from '@agentpty/protocol'
import { type CliOptions, type Command, exitCode, type Flag, loadAll } from './command.ts'
import { commandIn, familyOf } from './find-command.ts'
import { writeCommandHelp, writeFamilyHelp, writeHelp } from './help.ts'

export type { CliOptions } from './command.ts'

/** Flags that every command takes. */
const globals: Readonly<Record<string, Flag>> = {
  json: { type: 'boolean', help: 'print the result as JSON' },
  help: { type: 'boolean', short: 'h', help: 'show this help' },
}

export async function runCli(argv: readonly string[], options: CliOptions): Promise<number> {
  try {
    return await dispatch(argv, options)
  } catch (error) {
    if (isTermError(error)) return complainOf(await inCommands(error, argv), options)
    options.complain(`agentpty: ${error instanceof Error ? error.message : String(error)}\n`)
    return exitCode.failed
  }
}

/** Loads its modules only for an error: loading them takes longer than most commands, which succeed. */
async function inCommands(error: TermError, argv: readonly string[]): Promise<TermError> {
  const [{ errorInWordsOf }, { repeatedByCommand }] = await Promise.all([
    import('@agentpty/protocol/call'),
    import('@agentpty/protocol/approvals'),
  ])
  return repeatedByCommand(errorInWordsOf('cli', error), ['agentpty', ...argv].map(quotedWord).join(' '))
}

/** Quotes a word for a shell. */
const quotedWord = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)

/** Errors that are no misuse of the command line: no daemon can run here, or not this one. */
const unfitMachine: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['daemon_gone', 'no_daemon', 'machine_unfit'])

function complainOf({ code, message, hint }: TermError, { complain }: CliOptions): number {
  const line = /^agentpty \w+: /.test(message) ? message : `agentpty: ${message}`
  complain(`${line}${hint === '' ? '' : `\n${hint}`}\n`)
  if (code === 'invalid_input') return exitCode.usage
  return unfitMachine.has(code) ? exitCode.noDaemon : exitCode.failed
}

async function dispatch(argv: readonly string[], options: CliOptions): Promise<number> {
  const [name, ...rest] = argv
  if (name === '__complete') return printCandidates(rest, options)
  if (name === 'help' && (rest[0] === '--help' || rest[0] === '-h')) return printHelp([], options)
  if (name === undefined || name === '--help' || name === '-h') return printHelp([], options)
  if (name === 'help') return printHelp(rest, options)
  if (name !== '--version' && name !== '-V') return runNamed(argv, options)
  options.print(`${options.version}\n`)
  return exitCode.ok
}

async function runNamed(argv: readonly string[], options: CliOptions): Promise<number> {
  const { name, rest } = commandIn(argv, options.commands)
  const command = name === null ? undefined : await options.commands[name]?.()
  if (command === undefined) return unknown(argv, options)
  const parsed = parse(command, rest)
  if (typeof parsed === 'string') return misused(parsed, command.name, options)
  const { words, flags } = parsed
  if (flags['help'] === true) {
    options.print(writeCommandHelp(command, globals))
    return exitCode.ok
  }
  const [min, max] = command.words
  if (words.length < min || words.length > max)
    return misused(`${command.name} takes ${command.usage || 'no words'}`, command.name, options)
  return command.run({ options, words, flags, json: flags['json'] === true })
}

/** A first word that only begins the names of commands, and is followed by none of them: prints help, or reports a misuse. */
async function unknown([name = '', second]: readonly string[], options: CliOptions): Promise<number> {
  const { commands } = options
  const family = familyOf(name, commands)
  if (family.length > 0) {
    if (second === '--help' || second === '-h') return printHelp([name], options)
    const seconds = family.map((one) => one.slice(name.length + 1))
    if (second === undefined) return misused(`${name} takes one of: ${seconds.join(', ')}`, name, options)
    const near = nearest(seconds, second)
    return notFound(`command "${name} ${second}"`, near === undefined ? null : `${name} ${near}`, name, options)
  }
  if (name.startsWith('-')) return misused(`no option "${name}" before a command`, undefined, options)
  return notFound(
    `command "${name}"`,
    otherNames.get(name) ?? nearest(Object.keys(commands), name) ?? null,
    '',
    options,
  )
}

/** The words and flags, or what is wrong with them. A command's own flags end where another program's command line begins. */
function parse(command: Command, args: readonly string[]) {
  try {
    const flags = { ...command.flags, ...globals }
    const { values, positionals } = parseArgs({
      args: [...ownArguments(command, flags, args)],
      allowPositionals: true,
      options: Object.fromEntries(
        Object.entries(flags).map(([name, { type, short, multiple }]) => [
          name,
          defined({ type, short, multiple: multiple === true }),
        ]),
      ),
    })
    return { words: positionals, flags: values }
  } catch (error) {
    const problem = error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error)
    const [, unknown] = /^Unknown option '--?([\w-]+)'$/.exec(problem) ?? []
    if (unknown === undefined) return problem
    const near = nearest(Object.keys({ ...command.flags, ...globals }), unknown)
    return `${command.name} has no option --${unknown}${near === undefined ? '' : ` (did you mean --${near}?)`}`
  }
}

/** `run ls -l`: what follows the program's name is the program's. */
function ownArguments(
  command: Command,
  flags: Readonly<Record<string, Flag>>,
  args: readonly string[],
): readonly string[] {
  if (!command.takesCommand || args.includes('--')) return args
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? ''
    if (!word.startsWith('-')) return [...args.slice(0, at), '--', ...args.slice(at)]
    const flag = word.startsWith('--')
      ? flags[word.slice(2)]
      : Object.values(flags).find(({ short }) => short === word.slice(1))
    if (flag === undefined && command.takesFlags) return [...args.slice(0, at), '--', ...args.slice(at)]
    if (flag?.type === 'string') at++
  }
  return args
}

async function printHelp(words: readonly string[], options: CliOptions): Promise<number> {
  const { commands, print } = options
  const named = commandIn(words, commands)
  const family = words.length === 1 ? familyOf(words[0] ?? '', commands) : []
  if (words.length > 0 && named.name === null && family.length === 0) return unknown(words, options)
  const [command] = named.name === null ? [] : await loadAll(commands, [named.name])
  if (command !== undefined) print(writeCommandHelp(command, globals))
  else if (family.length > 0) print(writeFamilyHelp(words[0] ?? '', await loadAll(commands, family)))
  else print(writeHelp(await loadAll(commands)))
  return exitCode.ok
}

async function printCandidates(words: readonly string[], options: CliOptions): Promise<number> {
  const { complete } = await import('./commands/completion.ts')
  const candidates = await complete(globals, words, options)
  for (const { word, help } of candidates) options.print(`${word}\t${help}\n`)
  return exitCode.ok
}

/** `see`: the command whose help explains more. */
function misused(problem: string, see: string | undefined, { complain }: CliOptions): number {
  complain(`agentpty: ${problem}.\nSee: agentpty ${see === undefined ? '' : `${see} `}--help\n`)
  return exitCode.usage
}

/** `near`: the command that was probably meant; `see`: the family whose help lists the others. */
function notFound(what: string, near: string | null, see: string, { complain }: CliOptions): number {
  const list = see === '' ? 'agentpty --help' : `agentpty ${see} --help`
  const next = near === null ? `See: ${list}` : `Did you mean: agentpty ${near}\nAll commands: ${list}`
  complain(`agentpty: no ${what}.\n${next}\n`)
  return exitCode.usage
}

/** Names that other terminal programs use for the same thing. */
const otherNames: ReadonlyMap<string, string> = new Map(
  Object.entries({
    approve: 'approvals',
    'capture-pane': 'screen',
    cat: 'read',
    create: 'new',
    exec: 'run',
    history: 'timeline',
    install: 'init',
    kill: 'close',
    'kill-session': 'close',
    list: 'ls',
    logs: 'read',
    'new-session': 'new',
    ps: 'ls',
    register: 'init',
    restart: 'stop',
    rm: 'close',
    screenshot: 'screen',
    'send-keys': 'keys',
    setup: 'init',
    spawn: 'agent spawn',
    start: 'new',
    type: 'send',
    ui: 'open',
    web: 'open',
  }),
)

/** The name that was probably meant: with a letter or two wrong or swapped, or not written to its end. */
function nearest(names: readonly string[], name: string): string | undefined {
  return (
    names.find((one) => one.startsWith(name)) ??
    nearNames(name, names, { count: 1, farthest: name.length > 4 ? 2 : 1 })[0]
  )
}
