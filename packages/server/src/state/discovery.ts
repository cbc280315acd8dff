/**
 * The files that lead to the HTTP server: written when no running server has them, removed by the server that wrote
 * them.
 *
 * A file is made by a link, which fails when the file exists, so only one of two concurrent servers gets it. A stale
 * file is moved away before, and put back if it turns out to be a new one.
 */

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { get } from 'node:http'
import { dirname, join } from 'node:path'
import {
  type Clock,
  challengeCharactersMax,
  discoveryFileBytesMax,
  healthAnswerMs,
  healthBytesMax,
  machineUnfit,
  makeFolder,
} from '@agentpty/protocol'
import {
  type ConfigFile,
  type DiscoveryFile,
  type DiscoveryState,
  discoveryFiles,
  type ServedAt,
} from '@agentpty/protocol/home'
import { type JsonObject, parseObject } from '@agentpty/protocol/wire'
import { createPrivate, removeUnchanged } from '../files/index.ts'

/** How often we try to take a file over while another server does so too. */
const attemptsMax = 3

/** Writes the files. One that could not be written is reported, and does no harm. */
export function announce(served: ServedAt, home: string, clock: Clock): Promise<readonly DiscoveryState[]> {
  return Promise.all(
    discoveryFiles(home).map(async (file) => {
      try {
        return await claim(file, served, clock)
      } catch (error) {
        return { path: file.path, kind: 'failed', detail: error instanceof Error ? error.message : String(error) }
      }
    }),
  )
}

/** Removes our files. Call it while the port is still held, because no other server can have written them before. */
export function withdraw(served: ServedAt, home: string): void {
  for (const { path, write } of discoveryFiles(home)) {
    try {
      if (readDiscovery(path) !== write(served)) continue
      rmSync(path)
      if (dirname(path) !== home) rmdirSync(dirname(path))
    } catch {
      // A file that cannot be read or removed stays, as after a kill: the next server finds that no process answers. A
      // folder that holds something else stays as well.
    }
  }
}

/** Null without a file. Errors: a file that is too large, or cannot be read. */
export function readDiscovery(path: string): string | null {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return null
  if (!stat.isFile() || stat.size > discoveryFileBytesMax) throw new Error(`${path} is something else`)
  return readFileSync(path, 'utf8')
}

async function claim(file: DiscoveryFile, served: ServedAt, clock: Clock): Promise<DiscoveryState> {
  const { path } = file
  makeFolder(dirname(path))
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const found = readDiscovery(path)
    const port = found === null ? null : file.portIn(found)
    // A file that names our own port was left by an earlier server. So was the file of a process that has ended, even
    // if another one has its port now.
    const isLeft = port === null || port === served.port || hasEnded(file.pidIn(found ?? ''))
    if (!isLeft) {
      const answerer = await askHealth(port, clock)
      if (answerer === 'server' || answerer === 'silent') return { path, kind: 'others', detail: `port ${port}` }
    }
    if (found !== null) removeUnchanged(path, found)
    if (createPrivate(path, file.write(served))) return { path, kind: 'ours', detail: `port ${served.port}` }
  }
  return { path, kind: 'others', detail: 'several servers start at once' }
}

function hasEnded(pid: number | null): boolean {
  if (pid === null) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

/** `server`: sends our health message. `stranger`: another program. `silent`: accepted and sent nothing. `absent`: the port is free. */
type Answerer = 'server' | 'stranger' | 'silent' | 'absent'

export async function askHealth(port: number, clock: Clock): Promise<Answerer> {
  const answer = await ask(port, '/health', clock)
  return typeof answer === 'string' ? answer : answer['status'] === 'ok' ? 'server' : 'stranger'
}

/** Whether a server on this machine knows the token, asked without sending it, so that it may be sent. `unproven`: it does not. */
export async function askProof(port: number, token: string, clock: Clock): Promise<'proven' | 'unproven' | 'absent'> {
  const asked = { challenge: randomBytes(32).toString('base64url'), port }
  const answer = await ask(port, `/health?challenge=${asked.challenge}`, clock)
  if (answer === 'absent') return 'absent'
  return typeof answer === 'object' && isProof(answer['proof'], token, asked) ? 'proven' : 'unproven'
}

/** The object in the answer, or who is there when there is none. */
function ask(port: number, path: string, clock: Clock): Promise<JsonObject | Exclude<Answerer, 'server'>> {
  return new Promise((resolve) => {
    const asked = get({ host: '127.0.0.1', port, path, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        text += part
        if (text.length > healthBytesMax) give('stranger')
      })
      response.on('end', () => give(parseObject(text) ?? 'stranger'))
      response.on('error', () => give('stranger'))
    })
    const cancelTimer = clock.callAt(clock.now() + healthAnswerMs, () => give('silent'))
    const give = (answer: JsonObject | Exclude<Answerer, 'server'>) => {
      cancelTimer()
      resolve(answer)
      asked.destroy()
    }
    // An answer that is not HTTP is from a stranger.
    asked.on('error', (error: NodeJS.ErrnoException) => give(error.code === 'ECONNREFUSED' ? 'absent' : 'stranger'))
  })
}

interface Challenge {
  /** Random, chosen by the client. */
  readonly challenge: string
  /** The port at which the server is asked. */
  readonly port: number
}

/** A server proves itself before it gets the token: it answers a challenge by a code of token and port, so it cannot be passed on. */
export function proofOf(token: string, { challenge, port }: Challenge): string {
  return createHmac('sha256', token).update(`agentpty server ${port} ${challenge}`).digest('base64url')
}

export function isProof(given: unknown, token: string, asked: Challenge): boolean {
  const wanted = Buffer.from(proofOf(token, asked))
  const answer = Buffer.from(typeof given === 'string' ? given : '')
  return answer.length === wanted.length && timingSafeEqual(answer, wanted)
}

/** Null when the address asks for no proof, or its challenge is not valid. */
export function challengeIn(url: string): string | null {
  const challenge = new URL(url, 'http://localhost').searchParams.get('challenge') ?? ''
  return /^[\w-]{16,}$/.test(challenge) && challenge.length <= challengeCharactersMax ? challenge : null
}

/** The configuration of an instance, from its file and the environment. */
export function configPath(configFolder: string): string {
  return join(configFolder, 'config.yaml')
}

/** Null without a file. Errors: `machine_unfit` when the file cannot be read. */
export function readConfigFile(path: string): ConfigFile | null {
  try {
    return { path, text: readFileSync(path, 'utf8') }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw machineUnfit(`${path} cannot be read: ${message}.`, 'Make it readable, or remove it.')
  }
}
