/** `agentpty recordings`: what was recorded, also of terminals that are gone. */

import { defined, invalidInput } from '@agentpty/protocol'
import { lasted, type RecordingRow } from '@agentpty/protocol/recording'
import { type Command, type CommandCall, numberFlag, printResult, withClient } from '../command.ts'
import { cell, table } from '../format-tables.ts'
import { complainOfGaps } from '../observation.ts'

export const showRecordings: Command = {
  name: 'recordings',
  usage: '[rm ID...]',
  summary: 'list or remove recordings',
  group: 'records',
  words: [0, Number.POSITIVE_INFINITY],
  choices: ['rm'],
  notes: ['A terminal is recorded if it was opened with --record, or if config.yaml has `recording: on`.'],
  examples: ['agentpty recordings', 'agentpty recordings rm term-12', 'agentpty replay term-12'],
  run: async (call) => {
    const [verb, ...ids] = call.words
    if (verb === undefined) return list(call)
    if (verb !== 'rm' || ids.length === 0)
      throw invalidInput(
        `recordings ${call.words.join(' ')}: not understood.`,
        'For example: agentpty recordings rm term-12',
      )
    return remove(call, ids)
  },
}

async function list({ options, json }: CommandCall): Promise<number> {
  const rows = (await options.recordings()).list()
  return printResult({ options, json }, { recordings: rows }, tableOf(rows, options.isoTime))
}

async function remove({ options, json }: CommandCall, ids: readonly string[]): Promise<number> {
  const room = await options.recordings()
  const rows = room.list()
  // All are found before the first one is deleted.
  const found = ids.map((id) => recordingOf(rows, id) ?? unknown(id, rows))
  for (const row of found) room.remove(row)
  const removed = found.map(({ id }) => id)
  return printResult({ options, json }, { removed }, `Removed: ${removed.join(', ')}\n`)
}

/** By its id, or the newest of that name. */
export function recordingOf(rows: readonly RecordingRow[], word: string): RecordingRow | undefined {
  return rows.find(({ id }) => id === word) ?? rows.findLast(({ title }) => title === word)
}

function unknown(id: string, rows: readonly RecordingRow[]): never {
  const known = rows
    .slice(-10)
    .map((row) => row.id)
    .join(', ')
  throw invalidInput(`No recording "${id}".`, known === '' ? 'There are none.' : `The newest are: ${known}.`)
}

const columns = ['ID', 'NAME', 'BEGAN', 'LASTED', 'SIZE', 'EXIT', 'COMMAND'] as const
const commandWidthMax = 40

function tableOf(rows: readonly RecordingRow[], isoTime: (wall: number) => string): string {
  if (rows.length === 0) return 'No recordings. Record a terminal: agentpty new --record\n'
  const cells = rows.map(({ id, title, startedAt, seconds, bytes, exitCode: code, isEnded, command }) => [
    id,
    cell(title ?? '-', commandWidthMax),
    isoTime(startedAt).slice(0, 16).replace('T', ' '),
    lasted(seconds),
    `${Math.ceil(bytes / 1_024)} KB`,
    code === null ? (isEnded ? '?' : '-') : String(code),
    cell(command ?? '', commandWidthMax),
  ])
  return table([columns, ...cells])
}

export const printRecording: Command = {
  name: 'recording',
  usage: 'ID',
  summary: 'print the kept output with its times as an asciicast',
  group: 'records',
  words: [1, 1],
  completes: 'terminal',
  flags: {
    since: { type: 'string', value: 'OFFSET', help: 'begin at this byte offset' },
    v3: { type: 'boolean', help: 'write asciicast version 3, with a marker at each command' },
  },
  examples: ['agentpty recording build > build.cast && asciinema play build.cast'],
  run: async ({ options, words: [terminalId = ''], flags, json }) => {
    const version = flags['v3'] === true ? (3 as const) : undefined
    const since = numberFlag(flags, 'since')
    const input = defined({ terminalId, since, version })
    const recorded = await withClient(options, (client) => client.call('recording', input))
    if (recorded.timesUnknownTo !== undefined && !json)
      options.complain('agentpty: The times of the oldest output were not kept. It has the time of the beginning.\n')
    const { missedBytes, invalidBytes } = recorded
    if (!json) complainOfGaps(options, { missedBytes: since === undefined ? missedBytes : undefined, invalidBytes })
    return printResult({ options, json }, recorded, recorded.recording)
  },
}
