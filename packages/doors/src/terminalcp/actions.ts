/**
 * The actions of terminalcp, by name. An action that ends several sessions ends only those that the caller has started:
 * those of others go on.
 */

import { randomBytes } from 'node:crypto'
import { type BoundedMap, defined, invalidInput, isTermError, TermError } from '@agentpty/protocol'
import { gapLines } from '@agentpty/protocol/call'
import { withoutEscapes } from '@agentpty/protocol/escapes'
import type { ToolCall } from '@agentpty/protocol/mcp'
import type { ListedTerminal } from '@agentpty/protocol/verbs'
import { aside } from '../parts/aside.ts'
import { type TerminalcpAction, type TerminalcpArgs, terminalcpVersion } from './contract.ts'
import { sessionIdOf, terminalOf } from './ids.ts'
import { type InputQueue, parseKeys } from './input.ts'
import { type StreamMark, screenSize, screenText, streamBegin, streamFrom, wholeStream } from './output.ts'

const size = { cols: 80, rows: 24 }

/** State that terminalcp's server has and a daemon lacks. */
export interface Served {
  /** A session was started: the first one started terminalcp's server. */
  hasStarted: boolean
  /** By the names of their terminals: the ids that such a name cannot hold. */
  readonly longIds: BoundedMap<string, string>
}

export interface DoorCall extends ToolCall {
  readonly served: Served
  readonly marks: BoundedMap<string, StreamMark>
  readonly input: InputQueue
  /** Like 1.1, escape sequences stay in unless the caller asks for text without them. */
  readonly stripsEscapes: boolean
}

/** The text of 1.3, and the JSON of 1.1 where that answers with JSON. */
interface Answer {
  readonly text: string
  readonly json?: unknown
}

type Action = (args: TerminalcpArgs, call: DoorCall) => Promise<Answer>

export const terminalcpActions: Readonly<Record<TerminalcpAction, Action>> = {
  start,
  stop: (args, call) => (args.id == null || args.id === '' ? stopOwn(call) : stopOne(args.id, call)),
  stdin,
  stdout: async (args, { client }) => {
    const id = required(args, 'id')
    return { text: await knowing(id, () => screenText(client, terminalOf(id), Math.trunc(args.lines ?? 0))) }
  },
  stream,
  list,
  'term-size': async (args, { client }) => {
    const id = required(args, 'id')
    const { rows, cols, bufferLines } = await knowing(id, () => screenSize(client, terminalOf(id)))
    return { text: `${rows} ${cols} ${bufferLines}`, json: { rows, cols, scrollback_lines: bufferLines } }
  },
  resize,
  attach: async (args, { client }) => {
    const id = required(args, 'id')
    const { rows, cols } = await knowing(id, () => screenSize(client, terminalOf(id)))
    return { text: JSON.stringify({ cols, rows, rawOutput: (await wholeStream(client, terminalOf(id))).text }) }
  },
  // MCP clients get nothing between calls: there is nothing to detach from.
  detach: async (args) => ({ text: 'detached', json: { id: required(args, 'id'), status: 'detached' } }),
  version: async () => ({ text: terminalcpVersion }),
  'kill-server': async (_args, call) => {
    const closed = await closeOwn(call)
    call.served.hasStarted = false
    const note = `${closed.length} of your sessions stopped; the server goes on for its other clients, with theirs.`
    return { text: `shutting down\n${note}`, json: { status: 'shutting down', count: closed.length, note } }
  },
}

async function start(args: TerminalcpArgs, { client, caller, signal, marks, served }: DoorCall): Promise<Answer> {
  const command = required(args, 'command')
  const id = args.name || `proc-${randomBytes(6).toString('hex')}`
  const where = args.cwd == null || args.cwd === '' ? {} : { cwd: args.cwd }
  const name = terminalOf(id)
  const given = { name, command, ...where, ...size, env: { FORCE_COLOR: '1' }, waitFor: 'none' as const }
  const { cwd } = await client.call('create', given, { client: caller, signal }).catch((error: unknown) => {
    throw reworded(error, 'name_taken', `Session '${id}' already exists`)
  })
  marks.delete(id)
  served.hasStarted = true
  if (sessionIdOf(name) !== id) served.longIds.set(name, id)
  return { text: id, json: { id, command, status: 'started', cwd } }
}

async function stopOne(id: string, { client, signal, marks }: DoorCall): Promise<Answer> {
  await knowing(id, () => client.call('close', { terminalId: terminalOf(id) }, { signal }))
  marks.delete(id)
  return { text: `stopped ${id}`, json: { id, status: 'stopped' } }
}

async function stopOwn(call: DoorCall): Promise<Answer> {
  const closed = await closeOwn(call)
  const text = `stopped ${closed.length} processes`
  return { text, json: { status: 'stopped', count: closed.length, ids: closed } }
}

/** Closes what the caller has started; returns the ids. */
async function closeOwn({ client, caller, signal, marks, served }: DoorCall): Promise<readonly string[]> {
  const { terminals } = await aside(client).call('list', {})
  const names = new Map(terminals.map((one) => [one.terminalId, idOf(one, served)]))
  const { closed } = await client.call('close', { all: true }, { client: caller, signal })
  const ids = closed.map((terminalId) => names.get(terminalId) ?? terminalId)
  for (const id of ids) marks.delete(id)
  return ids
}

async function stdin(args: TerminalcpArgs, call: DoorCall): Promise<Answer> {
  const { id, data, submit } = args
  if (id == null || id === '' || data == null) throw missing('fields: id, data')
  try {
    await call.input.type(terminalOf(id), `${parseKeys(data)}${submit === true ? '\r' : ''}`, call)
  } catch (error) {
    throw await stdinFailure(error, id, call)
  }
  return { text: '', json: { id, status: 'input sent' } }
}

async function stdinFailure(error: unknown, id: string, { client }: DoorCall): Promise<unknown> {
  if (isTermError(error) && error.code === 'session_exited') {
    const { terminals } = await aside(client).call('list', {})
    const ended = terminals.find((one) => one.terminalId === id || one.name === terminalOf(id))
    const how = `pid: ${ended?.pid}, exit code: ${ended?.exitCode ?? ended?.signal}`
    return reworded(error, error.code, `Session ${id} is not running (${how}). Check stdout or stream.`)
  }
  return reworded(error, 'session_not_found', `Session not found: ${id}`)
}

async function stream(args: TerminalcpArgs, { client, marks, stripsEscapes }: DoorCall): Promise<Answer> {
  const id = required(args, 'id')
  const isNew = args.since_last === true
  const read = await knowing(id, () =>
    isNew ? streamFrom(client, terminalOf(id), marks.get(id) ?? streamBegin) : wholeStream(client, terminalOf(id)),
  )
  if (isNew) marks.set(id, read.mark)
  const text = `${gapLines(read)}${read.text}`
  return { text: (args.strip_ansi ?? stripsEscapes) ? withoutEscapes(text) : text }
}

const noSessions = 'No active sessions'

async function list(_args: TerminalcpArgs, { client, served }: DoorCall): Promise<Answer> {
  const { terminals } = await client.call('list', {})
  const lines = terminals.map((one) => lineOf(one, served))
  return {
    // Like terminalcp, a server whose sessions have all ended prints an empty list.
    text: terminals.length === 0 && !served.hasStarted ? noSessions : lines.join('\n'),
    json: terminals.map((one) => {
      const { command, cwd, pid, isActive, exitCode } = one
      return defined({ id: idOf(one, served), command, running: isActive, cwd, pid, exitCode })
    }),
  }
}

/** A folder with blanks in its name is quoted, so that it is clear where the name ends. */
function lineOf(one: ListedTerminal, served: Served): string {
  const cwd = /\s/.test(one.cwd) ? JSON.stringify(one.cwd) : one.cwd
  return `${idOf(one, served)} ${one.isActive ? 'running' : 'stopped'} ${cwd} ${one.command.replaceAll(/\s*\n\s*/g, ' ')}`
}

function idOf({ name, terminalId }: Pick<ListedTerminal, 'name' | 'terminalId'>, { longIds }: Served): string {
  return name === undefined ? terminalId : (longIds.get(name) ?? sessionIdOf(name))
}

async function resize(args: TerminalcpArgs, { client, signal }: DoorCall): Promise<Answer> {
  const id = required(args, 'id')
  const terminalId = terminalOf(id)
  await knowing(id, () => aside(client).call('wait', { terminalIds: [terminalId], waitFor: 'none' }))
  const cols = Math.trunc(args.cols ?? 0)
  const rows = Math.trunc(args.rows ?? 0)
  if (cols <= 0 || rows <= 0) throw invalidInput('resizing must be done using positive cols and rows', '')
  await knowing(id, () => client.call('resize', { terminalId, cols, rows }, { signal }))
  return { text: '', json: { id, cols, rows, status: 'resized' } }
}

function required(args: TerminalcpArgs, field: 'id' | 'command'): string {
  const value = args[field]
  if (value == null || value === '') throw missing(`field: ${field}`)
  return value
}

function missing(what: string): TermError {
  return invalidInput(`Missing required ${what}`, '')
}

/** Does the work; where there is no such session the error is in terminalcp's words. */
async function knowing<Result>(id: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    throw reworded(error, 'session_not_found', `Process not found: ${id}`)
  }
}

/** The same error with another message, if the error has this code. */
function reworded(error: unknown, code: TermError['code'], message: string): unknown {
  return isTermError(error) && error.code === code ? new TermError(code, message, error.hint) : error
}
