/** The texts of `--help`. */

import type { Command, Flag } from './command.ts'

const groups: Readonly<Record<Command['group'], string>> = {
  terminals: 'Terminals',
  agents: 'Agents in terminals',
  gym: 'Gym: tasks that are played and judged',
  people: 'For people',
  clients: 'For agents',
  agentpty: 'agentpty itself',
}

const columnMax = 30

/** Builds the text of `--help` from the table of commands. */
export function writeHelp(commands: readonly Command[]): string {
  const sections = Object.entries(groups).map(([group, title]) => {
    const rows = commands
      .filter((command) => command.group === group)
      .map(({ name, usage, summary }) => row(`${name} ${usage}`.trim(), summary))
    return `${title}\n${rows.join('')}`
  })
  return `agentpty: real terminals for AI agents, and for the people who watch them

  agentpty COMMAND --help     what a command does and takes
  --json                      answers for programs, with every command
  --version

${sections.join('\n')}
A terminal is named by its id (term-3) or by its name.
Exit codes: 0 done, 1 failed, 2 misused, 3 no daemon, 4 not in time, 5 the program ended first; run passes on its command's.

Register it with your agent, for example:  claude mcp add agentpty -- npx agentpty mcp
AGENTPTY_HOME=DIR keeps everything of one instance in DIR.
`
}

/** Commands whose names begin with the same word. */
export function writeFamilyHelp(family: readonly Command[]): string {
  const rows = family.map(({ name, usage, summary }) => row(`${name} ${usage}`.trim(), summary))
  return `${rows.join('')}\n  --json                      answers for programs, with each\n\nMore of one: agentpty ${family[0]?.name} --help\n`
}

export function writeCommandHelp(command: Command, globals: Readonly<Record<string, Flag>>): string {
  const { name, usage, summary, notes = [], examples = [] } = command
  const flags = Object.entries({ ...command.flags, ...globals }).map(([flag, { short, value, help }]) =>
    row(`${short === undefined ? '' : `-${short}, `}--${flag}${value === undefined ? '' : ` ${value}`}`, help),
  )
  return [
    `agentpty ${`${name} ${usage}`.trim()}\n\n${summary}\n`,
    flags.join(''),
    ...(notes.length > 0 ? [notes.map((note) => `${note}\n`).join('')] : []),
    ...(examples.length > 0 ? [`For example:\n${examples.map((one) => `  ${one}\n`).join('')}`] : []),
  ].join('\n')
}

function row(left: string, right: string): string {
  const isWide = left.length > columnMax - 4
  return isWide ? `  ${left}\n${' '.repeat(columnMax)}${right}\n` : `  ${left.padEnd(columnMax - 2)}${right}\n`
}
