/** `agentpty undo`: puts back the files that a program has deleted or overwritten. It needs no daemon. */

import { resolve } from 'node:path'
import { invalidInput } from '@agentpty/protocol'
import { shownText } from '@agentpty/protocol/approvals'
import type { KeptFile, KeptJob, UndoResult } from '@agentpty/protocol/effects'
import { type CliOptions, type Command, type CommandCall, exitCode, printResult } from '../command.ts'
import { cell, table } from '../format-tables.ts'

const charactersMax = 1_000
const widthMax = 50
const failuresMax = 20

export const undoJob: Command = {
  name: 'undo',
  usage: '[ID [PATH...]]',
  summary: 'restore files that a program has deleted or overwritten',
  group: 'people',
  words: [0, Number.POSITIVE_INFINITY],
  flags: {
    last: { type: 'boolean', help: 'undo the newest job' },
    show: { type: 'boolean', help: 'list the files and change nothing' },
  },
  notes: [
    'Without an ID it lists the jobs. Terminals with the gate `ask` keep files of their workspace for 7 days (docs/effects.md).',
    'With PATHs only these files and folders are restored. The present files are kept too, so you can undo an undo.',
  ],
  examples: [
    'agentpty undo',
    'agentpty undo --last',
    'agentpty undo term-3.2 --show',
    'agentpty undo term-3.2 src/main.c',
  ],
  run: async (call) => {
    const { flags, words } = call
    const room = await call.options.undo()
    const isLast = flags['last'] === true
    if (isLast && words.length > 0)
      throw invalidInput('--last goes without an ID.', 'For example: agentpty undo --last')
    const id = isLast ? lastOf(room.list()) : words[0]
    if (id === undefined) {
      const jobs = room.list()
      return printResult(call, { jobs }, tableOf(jobs, call.options))
    }
    if (flags['show'] === true) {
      const files = room.files(id)
      return printResult(call, { id, files }, filesOf(files, call.options))
    }
    const paths = words.slice(1).map((path) => resolve(call.options.folders.cwd, path))
    return printUndone(call, id, room.undo(id, paths))
  },
}

/** Undoes are left out: --last would put the same files back and forth. */
function lastOf(jobs: readonly KeptJob[]): string {
  const last = jobs.findLast(({ id, files }) => files > 0 && !/\.u\d+$/.test(id))
  if (last === undefined)
    throw invalidInput(
      'There is nothing to undo.',
      'Files are kept in terminals whose gate is ask: agentpty new --gate ask',
    )
  return last.id
}

async function printUndone(call: CommandCall, id: string, result: UndoResult): Promise<number> {
  await printResult(call, { id, ...result }, undoneText(result, call.options))
  return result.failed.length > 0 ? exitCode.failed : exitCode.ok
}

const counted = (count: number, what: string) => `${count} file${count === 1 ? '' : 's'} ${what}`

function undoneText({ back, same, failed, undo }: UndoResult, { folders }: CliOptions): string {
  const failures = failed
    .slice(0, failuresMax)
    .map(({ path, reason }) => `Not back: ${plain(inHome(path, folders))}: ${plain(reason)}.\n`)
  const more = failed.length > failuresMax ? [`Not back: ${failed.length - failuresMax} more.\n`] : []
  return [
    `${counted(back, back === 1 ? 'is back' : 'are back')}${same > 0 ? `, and ${counted(same, 'had not changed')}` : ''}.\n`,
    ...failures,
    ...more,
    undo === null ? '' : `What was in their place is kept: agentpty undo ${undo}\n`,
  ].join('')
}

function tableOf(jobs: readonly KeptJob[], { folders, isoTime }: CliOptions): string {
  if (jobs.length === 0)
    return 'There is nothing to undo. Terminals whose gate is ask keep what they delete: agentpty new --gate ask\n'
  const cells = jobs.map(({ id, at, files, bytes, lost, command, folder }) => [
    id,
    isoTime(at).slice(0, 16).replace('T', ' '),
    `${files}${lost > 0 ? ` (${lost} lost)` : ''}`,
    `${Math.ceil(bytes / 1_024)} KB`,
    cell(plain(command), widthMax),
    cell(plain(inHome(folder, folders)), widthMax),
  ])
  return `${table([['ID', 'WHEN', 'FILES', 'SIZE', 'COMMAND', 'WHERE'], ...cells])}Put them back: agentpty undo ID\n`
}

const stateWords: Readonly<Record<KeptFile['state'], string>> = {
  kept: 'kept',
  lost: 'could not be kept',
  same: 'there, unchanged',
  gone: 'put back, or not kept any more',
}

const whyWords: Readonly<Record<KeptFile['why'], string>> = {
  delete: 'deleted',
  replace: 'replaced',
  write: 'written to',
}

const filesOf = (files: readonly KeptFile[], { folders }: CliOptions) =>
  table([
    ['FILE', 'WAS', 'NOW', 'BYTES'],
    ...files.map(({ path, why, state, bytes }) => [
      plain(inHome(path, folders)),
      whyWords[why],
      stateWords[state],
      `${bytes}`,
    ]),
  ])

const plain = (text: string) => shownText(text.trim(), charactersMax)
const inHome = (path: string, { home }: CliOptions['folders']) =>
  path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path
