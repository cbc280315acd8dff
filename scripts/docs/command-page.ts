/** docs/cli.md, from the table of commands and the settings. */

import type { Command } from '@agentpty/cli'
import { loadAll } from '@agentpty/cli/testing'
import { configDefaults, configKeys, explainConfig, isSectionName } from '@agentpty/protocol/home'
import { commands } from '../../packages/agentpty/src/compose/commands.ts'

export async function writeCommandPage(): Promise<string> {
  const all = await loadAll(commands)
  return `${[
    '# Command line',
    '<!-- Written by `npm run docs` from packages/cli/src; edit the commands. -->',
    'A terminal is named by its id (`term-3`) or by its name. Every command takes `--json` and `--help`.',
    table(
      ['exit code', 'means'],
      [
        ['0', 'done'],
        ['1', 'failed'],
        ['2', 'misused: an unknown command, flag or value'],
        ['3', 'no daemon, and none could be started: a folder or a file is not as it has to be'],
        ['4', 'what was waited for did not come in time'],
        ['5', 'the program ended before it came'],
      ],
    ),
    '`run` passes on the exit code of its command instead.',
    ...all.map(section),
    '## Configuration',
    'The daemon reads `config.yaml` when it starts (`agentpty config path` says where it is). A variable goes before the file. What is wrong is refused with its line; `agentpty config schema` gives editors a JSON schema.',
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

function section({ name, usage, summary, flags = {}, notes = [], examples = [] }: Command): string {
  const rows = Object.entries(flags).map(([flag, { short, value, help }]) => {
    const spelled = `${short === undefined ? '' : `-${short}, `}--${flag}${value === undefined ? '' : ` ${value}`}`
    return [`\`${spelled}\``, help]
  })
  return [
    `## ${name}`,
    `\`agentpty ${`${name} ${usage}`.trim()}\``,
    `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`,
    ...(rows.length > 0 ? [table(['flag', 'means'], rows)] : []),
    ...(notes.length > 0 ? [notes.map((note) => `* ${note}`).join('\n')] : []),
    ...(examples.length > 0 ? [`    ${examples.join('\n    ')}`] : []),
  ].join('\n\n')
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n')
}
