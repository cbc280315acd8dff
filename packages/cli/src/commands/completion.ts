/**
 * Completion for shells. The scripts only pass the words on and take lines back: the choices are made here,
 * from the table of commands and, for terminals, from the daemon if one runs.
 */

import { invalidInput } from '@agentpty/protocol'
import { knownAdapters } from '@agentpty/protocol/agents'
import { type CliOptions, type Command, exitCode, type Flag, loadAll, withClient } from '../command.ts'
import { commandIn, shells, writeCompletion } from '../find-command.ts'

export const printCompletion: Command = {
  name: 'completion',
  usage: shells.join('|'),
  summary: 'print the completion script for your shell',
  group: 'agentpty',
  words: [1, 1],
  choices: shells,
  notes: [
    'bash: eval "$(agentpty completion bash)" in ~/.bashrc',
    'zsh:  eval "$(agentpty completion zsh)" in ~/.zshrc, after compinit',
    'fish: agentpty completion fish > ~/.config/fish/completions/agentpty.fish',
  ],
  examples: ['eval "$(agentpty completion bash)"'],
  run: async ({ options, words: [shell] }) => {
    const known = shells.find((one) => one === shell)
    if (known === undefined)
      throw invalidInput(`"${shell}" is no shell we complete in.`, `Use one of: ${shells.join(', ')}`)
    options.print(writeCompletion(known))
    return exitCode.ok
  },
}

export interface Candidate {
  readonly word: string
  readonly help: string
}

/** The choices for the last of `words`, which is being typed. */
export async function complete(
  globals: Readonly<Record<string, Flag>>,
  words: readonly string[],
  options: CliOptions,
): Promise<readonly Candidate[]> {
  const typed = words.at(-1) ?? ''
  const { commands } = options
  const { name, rest } = commandIn(words, commands)
  const command = name === null ? undefined : await commands[name]?.()
  // Nothing follows the name: it is still being typed.
  if (command === undefined || rest.length === 0)
    return starting(typed, namesAfter(words.slice(0, -1), await loadAll(commands)))
  const flags = { ...command.flags, ...globals }
  const pending = flagNamed(flags, words.at(-2) ?? '')
  if (pending?.type === 'string') return starting(typed, withoutHelp(pending.choices))
  if (typed.startsWith('-')) {
    const named = Object.entries(flags).map(([name, { help }]) => ({ word: `--${name}`, help }))
    return starting(typed, named)
  }
  const before = rest.slice(0, -1).filter((word) => !word.startsWith('-')).length
  if (command.choices !== undefined && before === 0) return starting(typed, withoutHelp(command.choices))
  if (command.completes === 'agent' && before === 0) return starting(typed, await agents(options))
  if (command.completes === 'terminals' || (command.completes === 'terminal' && before === 0))
    return starting(typed, await terminals(options))
  return []
}

/** The words that a name may go on with. */
function namesAfter(words: readonly string[], commands: readonly Command[]): readonly Candidate[] {
  const before = words.length === 0 ? '' : `${words.join(' ')} `
  const next = commands
    .filter(({ name }) => name.startsWith(before))
    .map(({ name, summary }) => ({ full: name, word: name.slice(before.length).split(' ')[0] ?? '', help: summary }))
  return next
    .filter(({ word }, index) => next.findIndex((one) => one.word === word) === index)
    .map(({ full, word, help }) => ({ word, help: full === `${before}${word}` ? help : 'several; see its help' }))
}

function flagNamed(flags: Readonly<Record<string, Flag>>, word: string): Flag | undefined {
  if (word.startsWith('--')) return flags[word.slice(2)]
  return word.startsWith('-') ? Object.values(flags).find(({ short }) => short === word.slice(1)) : undefined
}

/** Those that are known, and those of the configuration. */
async function agents({ explainConfig }: CliOptions): Promise<readonly Candidate[]> {
  const set = Object.keys((await explainConfig()).find(({ key }) => key === 'agents')?.value ?? {})
  const known = knownAdapters.map(({ name, title }) => ({ word: name, help: title }))
  const added = set.filter((name) => !known.some(({ word }) => word === name))
  return [...known, ...added.map((word) => ({ word, help: 'of config.yaml' }))]
}

/** Empty while no daemon runs: pressing Tab starts nothing. */
async function terminals(options: CliOptions): Promise<readonly Candidate[]> {
  const listed = await withClient(options, (client) => client.call('list', {}), { mayStart: false }).catch(() => ({
    terminals: [],
  }))
  return listed.terminals.flatMap(({ terminalId, name, command }) => [
    ...(name === undefined ? [] : [{ word: name, help: command }]),
    { word: terminalId, help: name ?? command },
  ])
}

function withoutHelp(words: readonly string[] = []): readonly Candidate[] {
  return words.map((word) => ({ word, help: '' }))
}

function starting(typed: string, candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.filter(({ word }) => word.startsWith(typed))
}
