import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { resolve } from 'node:path'
import { invalidInput, machineUnfit, systemReason } from '@agentpty/protocol'
import { type ExportFormat, exportFormats } from '@agentpty/protocol/recording'
import { type Command, type CommandCall, exitCode, textFlag } from '../command.ts'
import { ProgressLine } from '../plain-text.ts'
import { findCast, idleFlag, speedFlag } from '../replay/find-cast.ts'

export const exportRecording: Command = {
  name: 'export',
  usage: 'FILE|ID --to FILE',
  summary: 'convert a recording to cast, txt, svg, gif, or an html page that plays by itself',
  group: 'records',
  words: [1, 1],
  completes: 'terminal',
  flags: {
    to: { type: 'string', value: 'FILE', help: 'the file to write; its ending decides the format' },
    format: {
      type: 'string',
      value: 'FORMAT',
      help: 'the format, whatever the ending; without --to the result is printed',
      choices: exportFormats,
    },
    speed: { type: 'string', value: 'N', help: 'svg, gif: play N times as fast; default 1' },
    idle: { type: 'string', value: 'TIME', help: 'shorten longer pauses to this; default 2s' },
    theme: {
      type: 'string',
      value: 'THEME',
      help: 'the colours: dark or light; default dark',
      choices: ['dark', 'light'],
    },
    still: { type: 'boolean', help: 'svg: only the last screen' },
  },
  notes: ['A gif needs the package @resvg/resvg-js; the other formats need no package.'],
  examples: [
    'agentpty export term-12 --to build.html',
    'agentpty export build.cast --to build.gif --speed 2',
    'agentpty export term-12 --format txt | less',
  ],
  run: async (call) => {
    const { options, words, flags } = call
    const to = textFlag(flags, 'to')
    const format = formatOf(to, textFlag(flags, 'format'))
    const theme = textFlag(flags, 'theme') === 'light' ? 'light' : 'dark'
    const speed = speedFlag(flags)
    const idleMs = idleFlag(flags)
    const room = await options.recordings()
    const cast = await findCast(call, room, words[0] ?? '')
    const line = new ProgressLine(call)
    const progress = (share: number) => line.show(`${Math.round(share * 100)} %`)
    const pieces = room.export(cast, { format, theme, speed, idleMs, isStill: flags['still'] === true, progress })
    try {
      await (to === undefined ? printAll(call, pieces) : writeAll(resolve(options.folders.cwd, to), pieces))
    } finally {
      line.clear()
    }
    return exitCode.ok
  },
}

function formatOf(to: string | undefined, named: string | undefined): ExportFormat {
  const word = named ?? to?.slice(to.lastIndexOf('.') + 1)
  const format = exportFormats.find((one) => one === word)
  if (format !== undefined) return format
  const what = word === undefined ? 'export needs --to or --format' : `"${word}" is no format`
  throw invalidInput(`${what}.`, `For example: --to out.html. There are: ${exportFormats.join(', ')}.`)
}

async function printAll({ options }: CommandCall, pieces: AsyncIterable<string | Uint8Array>): Promise<void> {
  for await (const piece of pieces) await options.print(piece)
}

/** Whole, or not at all. */
async function writeAll(path: string, pieces: AsyncIterable<string | Uint8Array>): Promise<void> {
  const fresh = `${path}.${process.pid}`
  const fd = open(fresh)
  try {
    for await (const piece of pieces) {
      const bytes = Buffer.from(piece)
      for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done)
    }
    renameSync(fresh, path)
  } catch (error) {
    rmSync(fresh, { force: true })
    throw error
  } finally {
    closeSync(fd)
  }
}

function open(path: string): number {
  try {
    return openSync(path, 'w')
  } catch (error) {
    throw machineUnfit(`${path} cannot be written: ${systemReason(error)}.`, 'Name another file.')
  }
}
