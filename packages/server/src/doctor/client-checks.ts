/** The clients on this machine: what their files say of us, and whether that works, tried as the client would. */

import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { basename, isAbsolute } from 'node:path'
import { defined } from '@agentpty/protocol'
import { rosterRow } from '@agentpty/protocol/agents'
import { toolsetNames } from '@agentpty/protocol/mcp'
import {
  type ClientState,
  type EntryWay,
  ownServerName,
  parseReachedDaemon,
  type ReachedDaemon,
  type RegisteredEntry,
} from '@agentpty/protocol/setup'
import { type DaemonStatus, isObject, type JsonObject, LineSplitter, parseObject } from '@agentpty/protocol/wire'
import { askAddress, endOf, endProgram } from './ask-address.ts'
import { Complaint, ok, type Seen, type Subject, trippedOver, warn, wrong } from './check.ts'
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
} from './daemon-checks.ts'
import { programPath } from './machine-checks.ts'

interface ClientSubject extends Subject {
  /** The daemon that this command reaches; null without one. */
  readonly own: DaemonStatus | null
}

export async function* examineClient(state: ClientState, subject: ClientSubject): AsyncGenerator<Seen> {
  const { client, path, problem, entries } = state
  if (problem !== null) yield wrong(`${path} ${problem}`, `Mend ${path}; then: agentpty init --client ${client}`)
  else if (entries.length === 0)
    yield { mark: 'hint', found: 'not registered', advice: `agentpty init --client ${client} --yes` }
  for (const entry of entries) {
    const seen = await examineEntry(state, entry, subject)
    yield entry.name === ownServerName ? seen : { ...seen, found: `${entry.name}: ${seen.found}` }
  }
}

async function examineEntry(state: ClientState, entry: RegisteredEntry, subject: ClientSubject): Promise<Seen> {
  const { isEnabled, way } = entry
  const again = registerAgain(state, entry)
  if (way === null) return wrong(`${state.path} names neither a command nor an address`, again)
  if (!isEnabled) return warn(`turned off in ${state.path}`, 'Turn it on there, or in the client.')
  const named = way.kind === 'stdio' ? [...way.command, ...(way.cwd === null ? [] : [way.cwd])] : []
  const gone = named.find((word) => isAbsolute(word) && !existsSync(word))
  if (gone !== undefined) return wrong(`it names ${gone}, which is not there`, again)
  try {
    const { passes } = rosterRow(state.client)
    const handshake =
      way.kind === 'stdio' ? await askCommand(way, { ...subject, passes }) : await askAddress(way, subject)
    return handshake.outcome === 'connected'
      ? connected(state, entry, handshake, subject)
      : wrong(handshake.found, nextMove(handshake, entry, again))
  } catch (error) {
    return trippedOver(error, again)
  }
}

function connected(
  state: ClientState,
  entry: RegisteredEntry,
  { tools, ms, version, daemon }: Extract<Handshake, { outcome: 'connected' }>,
  subject: ClientSubject,
): Seen {
  const { way } = entry
  const strayed = reachesAnother(state.title, daemon, subject.own)
  if (strayed !== null) return wrong(strayed, registerAgain(state, entry))
  const found = `connected over ${way?.kind === 'http' ? 'HTTP' : 'stdio'}: ${tools} tools, ${ms} ms`
  const other = way?.kind === 'stdio' ? otherInstall(way.command, subject) : null
  if (other !== null) return warn(`${found}; but it starts another install, ${other}`, registerAgain(state, entry))
  if (version !== subject.version)
    return warn(`${found}; but it is version ${version}, and this is ${subject.version}`, registerAgain(state, entry))
  if (way?.kind === 'http' && state.isOpen)
    return warn(`${found}; but other users can read the token in ${state.path}`, `chmod 600 ${state.path}`)
  return ok(found)
}

/** The daemon that the client reaches is not the one that this command reaches; null when it is, or cannot be known. */
export function reachesAnother(
  title: string,
  reached: ReachedDaemon | null,
  own: Pick<DaemonStatus, 'stateFolder' | 'socket' | 'daemon'> | null,
): string | null {
  if (reached === null || own === null) return null
  if (reached.stateFolder === own.stateFolder && reached.pid === own.daemon.pid) return null
  const where = `state folder ${reached.stateFolder}, pid ${reached.pid}, socket ${reached.socket}`
  return `${title} would reach another daemon (${where}); this one has ${own.stateFolder}, pid ${own.daemon.pid}`
}

/** The script it starts, when that is not ours; null also when it cannot be known. */
function otherInstall(command: readonly string[], { ownScript, env }: Subject): string | null {
  const [program = ''] = command
  const script = command.find((word) => isAbsolute(word) && /^agentpty(\.js)?$/.test(basename(word)))
  const found = script ?? (program === 'agentpty' ? programPath(program, env) : null)
  if (found === null || ownScript === null || !existsSync(found)) return null
  const real = realpathSync(found)
  return real === ownScript ? null : real
}

function nextMove({ why }: Extract<Handshake, { outcome: 'failed' }>, { way }: RegisteredEntry, again: string): string {
  if (way?.kind === 'http' || why === 'missing') return again
  return `Try it: ${way?.command.join(' ')}   (or write it anew: ${again})`
}

/** The command that writes this entry as it should be. */
export function registerAgain({ client }: Pick<ClientState, 'client'>, { name, way }: RegisteredEntry): string {
  const named = way?.kind === 'http' ? new URL(way.url).searchParams.get('toolset') : toolsetAmong(way?.command ?? [])
  const toolset = named ?? toolsetNames.find((one) => one === name) ?? null
  const flags = [way?.kind === 'http' ? '--http' : [], toolset === null ? [] : ['--toolset', toolset]].flat()
  return ['agentpty', 'init', ...flags, '--client', client, '--yes'].join(' ')
}

function toolsetAmong(command: readonly string[]): string | null {
  const at = command.indexOf('--toolset')
  return at < 0 ? null : (command[at + 1] ?? null)
}

type Command = Extract<EntryWay, { kind: 'stdio' }>
interface AskContext extends Pick<Subject, 'clock' | 'answerMs' | 'env' | 'version'> {
  /** The variables that the client passes on; null: all. */
  readonly passes: readonly string[] | null
}

/** Starts a server as the client would, with the variables that it passes on, asks it, and ends it with all it has started. */
async function askCommand({ command, env, cwd }: Command, context: AskContext): Promise<Handshake> {
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
    let others = 0
    const read = (bytes: Buffer) => {
      try {
        for (const line of lines.push(bytes)) {
          const message = parseObject(line)
          if (message === null && ++others > otherLinesMax) throw new Error('too many lines')
          hear(message)
        }
      } catch {
        // A line is too long, or there are too many others.
        stdout?.off('data', read).resume()
        give(failed('wrong answer', 'writes what is not MCP'))
      }
    }
    stdout?.on('data', read)
    stderr?.on('data', (bytes: Buffer) => complaint.add(bytes))
    // The program has ended or closed its input; its exit follows, or the time ends.
    stdin?.on('error', () => undefined)
    child.once('error', (error: NodeJS.ErrnoException) => give(notStarted(program, error)))
    // Not before its last error output has been read.
    child.once('close', (code, signal) => give(failed('ended', `ends with ${signal ?? code}${complaint.quoted}`)))
    say(initialize(version))
  })
}

/** Some servers print a greeting first. */
const otherLinesMax = 100

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

function reasonIn(message: JsonObject | null): string {
  const error = message?.['error']
  const reason = isObject(error) && typeof error['message'] === 'string' ? error['message'].split('\n')[0] : undefined
  return reason === undefined ? '' : `: ${reason.slice(0, reasonCharactersMax)}`
}
