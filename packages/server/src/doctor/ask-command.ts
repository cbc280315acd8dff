/** Starts a server as the client would, with the variables that it passes on, asks it, and ends it with all it has started. */

import { type ChildProcess, spawn } from 'node:child_process'
import { defined } from '@agentpty/protocol'
import { type EntryWay, parseReachedDaemon } from '@agentpty/protocol/setup'
import { isObject, type JsonObject, LineSplitter, parseObject } from '@agentpty/protocol/wire'
import type { Subject } from './check.ts'
import { Complaint } from './complaint.ts'
import { endOf, endProgram } from './end-program.ts'
import {
  answerTo,
  failed,
  type Handshake,
  initialize,
  initialized,
  initializeId,
  listId,
  listTools,
  toolsIn,
  versionIn,
} from './handshake.ts'

type Command = Extract<EntryWay, { kind: 'stdio' }>
interface AskContext extends Pick<Subject, 'clock' | 'answerMs' | 'env' | 'version'> {
  /** The variables that the client passes on; null: all. */
  readonly passes: readonly string[] | null
}

export async function askCommand({ command, env, cwd }: Command, context: AskContext): Promise<Handshake> {
  const [program = '', ...args] = command
  const child = spawn(
    program,
    args,
    defined({
      env: { ...passedOn(context), ...env },
      stdio: 'pipe',
      cwd: cwd ?? undefined,
      // A group of its own, so that what it starts can be ended with it.
      detached: true,
    }),
  )
  const ended = endOf(child)
  try {
    return await converse(child, program, context)
  } finally {
    await endProgram(child, ended, context.clock)
  }
}

function passedOn({ env, passes }: AskContext): Readonly<Record<string, string>> {
  if (passes === null) return env
  return Object.fromEntries(Object.entries(env).filter(([name]) => passes.includes(name)))
}

function converse(child: ChildProcess, program: string, { clock, answerMs, version }: AskContext): Promise<Handshake> {
  const { stdin, stdout, stderr } = child
  const startedAt = clock.now()
  const say = (message: JsonObject) => void stdin?.write(`${JSON.stringify(message)}\n`)
  const complaint = new Complaint()
  let served = ''
  return new Promise((resolve) => {
    const cancelTimer = clock.callAt(startedAt + answerMs, () =>
      give(failed('silent', `does not answer within ${answerMs} ms${complaint.quoted}`)),
    )
    const give = (handshake: Handshake) => {
      cancelTimer()
      resolve(handshake)
    }
    const hear = (message: JsonObject | null) => {
      const greeting = answerTo(initializeId, message)
      const list = answerTo(listId, message)
      if (greeting === 'refused' || list === 'refused')
        give(failed('wrong answer', `refuses to speak MCP${reasonIn(message)}`))
      else if (greeting !== null) {
        served = versionIn(greeting)
        say(initialized)
        say(listTools)
      } else if (list !== null) give(counted(list, served, clock.now() - startedAt))
    }
    const lines = new LineSplitter()
    stdout?.on('data', (bytes: Buffer) => {
      try {
        for (const line of lines.push(bytes)) hear(parseObject(line))
      } catch {
        // The line is too long: this program does not speak MCP.
        give(failed('wrong answer', 'writes what is not MCP'))
      }
    })
    stderr?.on('data', (bytes: Buffer) => complaint.add(bytes))
    // The program has ended or closed its input; its exit follows, or the time ends.
    stdin?.on('error', () => undefined)
    child.once('error', (error: NodeJS.ErrnoException) => give(notStarted(program, error)))
    // Not before its last error output has been read.
    child.once('close', (code, signal) => give(failed('ended', `ends with ${signal ?? code}${complaint.quoted}`)))
    say(initialize(version))
  })
}

function counted(list: JsonObject, version: string, ms: number): Handshake {
  const tools = toolsIn(list)
  if (tools === null) return failed('wrong answer', 'answers with no list of tools')
  return { outcome: 'connected', tools, version, ms: Math.round(ms), daemon: parseReachedDaemon(list) }
}

function notStarted(program: string, { code, message }: NodeJS.ErrnoException): Handshake {
  if (code === 'ENOENT') return failed('missing', `command not found: ${program}`)
  return failed('missing', code === 'EACCES' ? `may not be started: ${program}` : message)
}

const reasonCharactersMax = 300

/** What the server gives as its reason. */
function reasonIn(message: JsonObject | null): string {
  const error = message?.['error']
  const reason = isObject(error) && typeof error['message'] === 'string' ? error['message'].split('\n')[0] : undefined
  return reason === undefined ? '' : `: ${reason.slice(0, reasonCharactersMax)}`
}
