/**
 * A player that is a program of this machine and speaks JSON lines: it reads observations and writes actions.
 *
 * It reads `{"type":"begin", instruction, observation, info}`, then after each line of its own, which is an action, `{"type":"step", observation,
 * reward, terminated, truncated, info}` or `{"type":"error", message}`. It ends when it wants to, or after it has read `terminated`.
 */

import { join } from 'node:path'
import { invalidInput, isTermError, TermError } from '@agentpty/protocol'
import { Action, playerFaultsMax, playerLogBytesMax } from '@agentpty/protocol/gym'
import { LineSplitter } from '@agentpty/protocol/wire'
import { parseAs } from '../json-text.ts'
import { startOwned } from '../owned-program.ts'
import { writeWhole } from '../whole-file.ts'
import { isOver, type Played, type Player, type Table } from './job-result.ts'
import { lastWordsOf } from './play-log.ts'

/** `command`: for the shell of this machine, with the rights of the person who plays. */
export const linePlayer = (command: string): Player => ({
  name: nameOf(command),
  version: 'unknown',
  isScripted: false,
  model: null,
  play: (table) => playLines(command, table),
})

/** Returns the program's name without its arguments, to show and to record. */
const nameOf = (command: string): string => command.trim().split(/\s+/)[0]?.split('/').at(-1) ?? 'command'

async function playLines(command: string, table: Table): Promise<Played> {
  const { task } = table.prepared
  const env = { ...process.env, AGENTPTY_GYM_TASK: task.name }
  const program = startOwned(['/bin/sh', '-c', command], { env })
  const log = collect(program.stderr)
  const ended = program.ended.catch((error: Error) => {
    throw new TermError('spawn_failed', `${command}: ${error.message}`, 'Is it there?')
  })
  // It is awaited once everything was read.
  ended.catch(() => undefined)
  const end = () => program.kill()
  table.signal.addEventListener('abort', end, { once: true })
  // It may end without having read everything.
  program.stdin.on('error', () => end())
  const say = (value: object) => program.stdin.write(`${JSON.stringify(value)}\n`)
  try {
    const { observation, info } = table.begun
    say({ type: 'begin', task: task.name, instruction: table.instruction, observation, info })
    await answerLines(program.stdout, table, say)
    program.stdin.end()
    const exitCode = await ended
    return { exitCode, lastWords: lastWordsOf(Buffer.concat(log)), context: null }
  } finally {
    table.signal.removeEventListener('abort', end)
    end()
    writeWhole(join(table.folder, 'player.log'), Buffer.concat(log))
  }
}

/** Errors: `message_too_large` for a line that never ends; `invalid_input` after too many that are no actions. */
async function answerLines(output: AsyncIterable<Buffer>, table: Table, say: (value: object) => void): Promise<void> {
  const lines = new LineSplitter()
  const answers = new Answers(table, say)
  for await (const bytes of output) {
    for (const line of lines.push(bytes)) {
      if (table.signal.aborted) return
      if ((await answers.to(line)) === 'over') return
    }
  }
}

class Answers {
  readonly #table: Table
  readonly #say: (value: object) => void
  #faults = 0

  constructor(table: Table, say: (value: object) => void) {
    this.#table = table
    this.#say = say
  }

  async to(line: string): Promise<'over' | 'goes on'> {
    try {
      const result = await this.#table.act(actionOf(line))
      this.#faults = 0
      this.#say({ type: 'step', ...result })
      return isOver(result) ? 'over' : 'goes on'
    } catch (error) {
      if (!isTermError(error) || error.code !== 'invalid_input' || ++this.#faults > playerFaultsMax) throw error
      this.#say({ type: 'error', message: `${error.message} ${error.hint}` })
      return 'goes on'
    }
  }
}

function actionOf(line: string): Action {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    throw invalidInput('The line is no JSON.', 'Write one action a line: "ls", or {"type":"keys","keys":["escape"]}.')
  }
  return parseAs(Action, value, 'the action') as Action
}

function collect(stream: NodeJS.ReadableStream): readonly Buffer[] {
  const parts: Buffer[] = []
  let bytes = 0
  stream.on('data', (part: Buffer) => {
    if (bytes < playerLogBytesMax) parts.push(part)
    bytes += part.length
  })
  return parts
}
