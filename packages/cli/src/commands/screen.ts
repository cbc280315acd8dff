import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { defined, machineUnfit, systemReason } from '@agentpty/protocol'
import type { VerbInput, VerbOutput } from '@agentpty/protocol/verbs'
import { type Command, exitCode, numberFlag, textFlag, withClient } from '../command.ts'

const formats = ['text', 'plain', 'ansi', 'html', 'svg', 'png'] as const

export const showScreen: Command = {
  name: 'screen',
  usage: 'ID',
  summary: 'print the screen of a terminal, or save a picture of it',
  group: 'terminals',
  words: [1, 1],
  completes: 'terminal',
  flags: {
    format: {
      type: 'string',
      value: 'FORMAT',
      help: 'text (« » mark highlighted text), plain, ansi, html, svg or png; default: text, or by the ending of the file',
      choices: formats,
    },
    lines: { type: 'string', value: 'N', help: 'add N rows of scrollback' },
    output: { type: 'string', short: 'o', value: 'FILE', help: 'write to this file' },
    theme: {
      type: 'string',
      value: 'THEME',
      help: 'the colours of a picture: dark or light; default dark',
      choices: ['dark', 'light'],
    },
  },
  examples: [
    'agentpty screen editor',
    'agentpty screen top -o top.png',
    'agentpty screen top --format html > top.html',
  ],
  run: async ({ options, words: [terminalId = ''], flags, json }) => {
    const file = textFlag(flags, 'output')
    const format = textFlag(flags, 'format') ?? formatOf(file)
    const input = defined({ terminalId, format, lines: numberFlag(flags, 'lines'), theme: textFlag(flags, 'theme') })
    // The verb refuses any value that is none of the words.
    const shown = await withClient(options, (client) => client.call('screenshot', input as VerbInput<'screenshot'>))
    const content = json ? `${JSON.stringify(shown)}\n` : contentOf(shown)
    if (file === undefined) await options.print(content)
    else write(resolve(options.folders.cwd, file), content)
    return exitCode.ok
  },
}

function formatOf(file: string | undefined): string | undefined {
  const ending = file?.slice(file.lastIndexOf('.') + 1)
  return formats.find((one) => one === ending)
}

function contentOf({ screen, image }: VerbOutput<'screenshot'>): string | Uint8Array {
  if (image === undefined) return `${screen}\n`
  return image.mimeType === 'image/png' ? Buffer.from(image.data, 'base64') : image.data
}

function write(path: string, content: string | Uint8Array): void {
  try {
    writeFileSync(path, content)
  } catch (error) {
    throw machineUnfit(`${path} cannot be written: ${systemReason(error)}.`, 'Name another file.')
  }
}
