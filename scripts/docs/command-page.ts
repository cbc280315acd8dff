/** docs/cli.md, from the table of commands and the settings. */

import type { Command } from '@agentpty/cli'
import { loadAll, sentence } from '@agentpty/cli/testing'
import { configDefaults, configKeys, explainConfig, isSectionName } from '@agentpty/protocol/home'
import { commands } from '../../packages/agentpty/src/compose/commands.ts'

export async function writeCommandPage(): Promise<string> {
  const all = await loadAll(commands)
  return `${[
    '# Command line',
    '<!-- Written by `npm run docs` from packages/cli/src; edit the commands. -->',
    'ID is the id of a terminal (`term-3`) or its name. Every command accepts `--json` and `--help`.',
    table(
      ['exit code', 'means'],
      [
        ['0', 'done'],
        ['1', 'failed'],
        ['2', 'usage error: an unknown command, flag or value'],
        ['3', 'no daemon runs, and none could be started'],
        ['4', 'timeout: the condition did not hold in time'],
        ['5', 'the program ended first'],
      ],
    ),
    '`run` returns the exit code of its command.',
    ...all.map(section),
    '## Configuration',
    'The daemon reads `config.yaml` when it starts (`agentpty config path` says where it is). An environment variable overrides the file. Errors name their line. `agentpty config schema` prints a JSON schema for editors.',
    table(
      ['key', 'variable', 'default', 'means'],
      explainConfig({}, null).map(({ key, variable, help }) => [
        `\`${key}\``,
        variable === null ? '' : `\`${variable}\``,
        `\`${isSectionName(key) ? null : configDefaults[key]}\``,
        help,
      ]),
    ),
    `For example:\n\n\`\`\`yaml\n${configKeys.slice(0, 1).map((key) => `${key}: ${configDefaults[key]}`)}\nshell: /bin/zsh\n\`\`\``,
  ].join('\n\n')}\n`
}

function section({ name, usage, summary, flags = {}, notes = [], examples }: Command): string {
  const rows = Object.entries(flags).map(([flag, { short, value, help }]) => {
    const spelled = `${short === undefined ? '' : `-${short}, `}--${flag}${value === undefined ? '' : ` ${value}`}`
    return [`\`${spelled}\``, help]
  })
  return [
    `## ${name}`,
    `\`agentpty ${`${name} ${usage}`.trim()}\``,
    sentence(summary),
    ...(rows.length > 0 ? [table(['flag', 'means'], rows)] : []),
    ...(notes.length > 0 ? [notes.map((note) => `* ${note}`).join('\n')] : []),
    `    ${examples.join('\n    ')}`,
  ].join('\n\n')
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n')
}
