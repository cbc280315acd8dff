/** docs/screen.md, from the table of cases that the conformance suite plays. */

import type { Case, Section, Sequence } from '../../tests/conformance/case.ts'
import { sections, tableTmux } from '../../tests/conformance/sections.ts'

export function writeScreenPage(): string {
  const cases = casesOf(sections)
  const apart = (differs: (one: Case) => boolean): number => cases.filter(differs).length
  return `${[
    '# What the screen understands',
    '<!-- Written by `npm run docs` from tests/conformance; edit its tables. -->',
    'With this page you know which escape sequences a program can use, and where agentpty and tmux differ. `agentpty screen ID` prints the result.',
    `${cases.length} cases say what a terminal must do: by xterm’s documentation (ctlseqs), and where that is silent about an edge, by what xterm does there. Each is played on our screen and in ${tableTmux}; ours differs in ${apart(({ ours }) => ours !== undefined)}, tmux in ${apart(({ tmux }) => tmux !== undefined)}. A difference that goes away fails the suite, so this page stays true.`,
    'Among the marks ✓ means that all cases hold, ◐ that some do, ✗ that none does. xterm itself is not played: ✓ means that its documentation has the sequence, – that the rule comes from elsewhere.',
    ...sections.flatMap(section),
    '## Run it',
    '    npx vitest run --project system tests/conformance',
    'It needs tmux. The screen itself is [xterm.js](https://xtermjs.org) without its windows, with our own answers to questions.',
  ].join('\n\n')}\n`
}

function casesOf(some: readonly Section[]): readonly Case[] {
  return some.flatMap(({ sequences }) => sequences.flatMap(({ cases }) => cases))
}

function section({ title, sequences }: Section): readonly string[] {
  const head = ['sequence', 'name', 'does', 'cases', 'agentpty', 'tmux', 'xterm', 'remarks']
  return [`## ${title}`, table(head, sequences.map(row))]
}

function row({ form, name, does, beyondXterm, cases }: Sequence): readonly string[] {
  return [
    code(form),
    name,
    does,
    String(cases.length),
    mark(cases, ({ ours }) => ours === undefined),
    mark(cases, ({ tmux }) => tmux === undefined),
    beyondXterm === undefined ? '✓' : '–',
    remarks(cases, beyondXterm).join('; '),
  ]
}

/** A backtick inside needs two around. */
function code(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``
}

function mark(cases: readonly Case[], holds: (one: Case) => boolean): string {
  if (cases.every(holds)) return '✓'
  return cases.some(holds) ? '◐' : '✗'
}

function remarks(cases: readonly Case[], beyondXterm: string | undefined): readonly string[] {
  return [
    ...(beyondXterm === undefined ? [] : [beyondXterm]),
    ...reasons('agentpty', cases, ({ ours }) => ours?.why),
    ...reasons('tmux', cases, ({ tmux }) => tmux),
  ]
}

/** One remark for all cases that differ for the same reason, with their names if other cases of the sequence pass. */
function reasons(who: string, cases: readonly Case[], why: (one: Case) => string | undefined): readonly string[] {
  const named = new Map<string, string[]>()
  for (const one of cases) {
    const reason = why(one)
    if (reason !== undefined) named.set(reason, [...(named.get(reason) ?? []), one.name])
  }
  return [...named].map(([reason, names]) =>
    names.length === cases.length ? `**${who}**: ${reason}` : `**${who}**: ${reason} (${names.join('; ')})`,
  )
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n')
}
