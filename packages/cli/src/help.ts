/** The texts of `--help`. */

import type { Command, Flag } from './command.ts'

/** The titles of the groups, in the order of the help. */
const groups: Readonly<Record<Command['group'], string>> = {
  start: 'Start here',
  terminals: 'Use terminals',
  people: 'Watch and take part',
  records: 'See what happened',
  agents: 'Lead other agents',
  clients: 'For clients and their hooks',
  agentpty: 'The daemon',
  gym: 'Train and score agents',
}

interface Family {
  readonly summary: string
  readonly notes?: readonly string[]
  readonly examples: readonly string[]
}

/** Commands of two words that share the first one. */
const families: Readonly<Record<string, Family>> = {
  agent: {
    summary: 'start other agents in terminals, give them tasks, and collect their answers',
    notes: ['ID is the id or the name of the agent’s terminal.'],
    examples: [
      'agentpty agent spawn claude --name fixer "fix the failing test"',
      'agentpty agent wait fixer              # until it has finished, or asks a question',
      'agentpty agent reply fixer 1           # answer its question with the first option',
      'agentpty agent wait fixer && agentpty agent answer fixer',
    ],
  },
  gym: {
    summary: 'run agents on tasks in terminals, and score them',
    examples: ['agentpty gym ls', 'agentpty gym run tty-30 --agent claude --out jobs'],
  },
  hook: {
    summary: 'report states and answers from the hooks of an agent',
    examples: ['agentpty hook start', 'agentpty hook emit --output "the tests are green"'],
  },
}

/** Widest line of a help text, in cells. */
const widthMax = 100
const leftWidth = 28

/** Builds the text of `agentpty --help`. Commands of one family share a row. */
export function writeHelp(commands: readonly Command[]): string {
  const sections = Object.entries(groups).map(([group, title]) => {
    const rows = commands
      .filter((command) => command.group === group)
      .map(({ name, usage, summary }) => {
        const [first = '', second] = name.split(' ')
        const family = second === undefined ? undefined : families[first]
        return family === undefined ? row(called(name, usage), summary) : row(`${first} COMMAND`, family.summary)
      })
    return `${title}\n${[...new Set(rows)].join('')}`
  })
  return `agentpty: real terminals for AI agents, and for the people who watch them

Usage: agentpty COMMAND [--json] [--help]

${sections.join('\n')}
ID is the id of a terminal (term-3) or its name. Each command explains itself: agentpty run --help
Exit codes: 0 done, 1 failed, 2 usage error, 3 no daemon, 4 timeout, 5 the program ended first.
The environment variable AGENTPTY_HOME names a folder for a separate instance.
`
}

/** Commands whose names begin with the same word. */
export function writeFamilyHelp(first: string, family: readonly Command[]): string {
  const { summary, notes = [], examples } = families[first] ?? { summary: '', examples: [] }
  const rows = family.map(({ name, usage, summary: does }) => row(`${name} ${usage}`.trim(), does))
  return [
    ...(summary === '' ? [] : [`${sentence(summary)}\n`]),
    rows.join(''),
    ...noteLines(notes),
    ...exampleLines(examples),
    `Each command explains itself: agentpty ${family[0]?.name} --help\n`,
  ].join('\n')
}

export function writeCommandHelp(command: Command, globals: Readonly<Record<string, Flag>>): string {
  const { name, usage, summary, notes = [], list, examples } = command
  const flags = Object.entries({ ...command.flags, ...globals }).map(([flag, settings]) =>
    row(spelled(flag, settings), explained(settings)),
  )
  return [
    `Usage: agentpty ${`${name} ${usage}`.trim()}\n\n${wrapped(sentence(summary), 0)}\n`,
    flags.join(''),
    ...noteLines(notes),
    ...(list === undefined ? [] : [`${list.title}\n${list.rows.map(([left, right]) => row(left, right)).join('')}`]),
    ...exampleLines(examples),
  ].join('\n')
}

const spelled = (flag: string, { short, value }: Flag): string =>
  `${short === undefined ? '' : `-${short}, `}--${flag}${value === undefined ? '' : ` ${value}`}`

/** Adds the allowed values unless the text names them. */
function explained({ help, choices = [] }: Flag): string {
  const isNamed = choices.every((choice) => help.includes(choice))
  return choices.length === 0 || isNamed ? help : `${help}: ${choices.join(', ')}`
}

/** The usage is left out where it would be wider than its column: the help of the command has it. */
function called(name: string, usage: string): string {
  const whole = `${name} ${usage}`.trim()
  return whole.length < leftWidth ? whole : `${name} …`
}

const noteLines = (notes: readonly string[]): readonly string[] =>
  notes.length === 0 ? [] : [notes.map((note) => `${wrapped(note, 0)}\n`).join('')]

const exampleLines = (examples: readonly string[]): readonly string[] =>
  examples.length === 0 ? [] : [`Examples:\n${examples.map((one) => `  ${one}\n`).join('')}`]

export const sentence = (summary: string): string => `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`

function row(left: string, right: string): string {
  const indent = leftWidth + 2
  const text = wrapped(right, indent)
  return left.length > leftWidth ? `  ${left}\n${' '.repeat(indent)}${text}\n` : `  ${left.padEnd(leftWidth)}${text}\n`
}

/** Breaks a text at spaces; the first line begins at `indent` already. */
function wrapped(text: string, indent: number): string {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line !== '' && indent + line.length + 1 + word.length > widthMax) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines.join(`\n${' '.repeat(indent)}`)
}
