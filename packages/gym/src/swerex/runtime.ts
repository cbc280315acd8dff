/** A runtime of SWE-ReX: sessions by their names, commands and files, all in one container. */

import { defined, KeyedQueue, type ServerClient } from '@agentpty/protocol'
import { doorShellsMax, stepMsMax } from '@agentpty/protocol/gym'
import type { SweRexSettings } from '@agentpty/protocol/home'
import type { JsonObject } from '@agentpty/protocol/wire'
import { quoted } from '../run/inside.ts'
import { BashSession } from './bash-session.ts'
import { RuntimeContainer } from './container.ts'
import {
  type BashAction,
  type BashInterrupt,
  type BashObservation,
  type CreateSession,
  type Execute,
  type ReadFile,
  Swerexception,
} from './contract.ts'
import { decodeText, readFile, type Uploaded, upload, writeFile } from './files.ts'

export interface RuntimeParts {
  readonly client: ServerClient
  readonly settings: SweRexSettings
}

export class Runtime {
  readonly #client: ServerClient
  readonly #container: RuntimeContainer
  /** Null while it is opened. */
  readonly #sessions = new Map<string, BashSession | null>()
  /** Runs the requests of one session one after the other; the server bounds how many of them wait. */
  readonly #queue = new KeyedQueue()
  #lastNumber = 0

  constructor({ client, settings }: RuntimeParts) {
    this.#client = client
    this.#container = new RuntimeContainer(client, { ...settings.environment, program: undefined })
  }

  /** Errors: `SessionExistsError`; what a file that is read at the start does wrong. */
  async createSession({ session: name, startup_source: files, startup_timeout: seconds }: CreateSession) {
    if (this.#sessions.has(name)) throw new Swerexception('sessionExists', `session ${name} already exists`)
    if (this.#sessions.size >= doorShellsMax)
      throw new Swerexception('other', `${doorShellsMax} sessions are open: close some.`)
    this.#sessions.set(name, null)
    try {
      const session = await this.#open()
      this.#sessions.set(name, session)
      const command = [...files.map((file) => `source ${quoted(file)}`), 'set +H'].join('; ')
      const { output } = await session.run({
        ...starting,
        session: name,
        command,
        timeout: Math.max(seconds, startMs / 1_000),
      })
      return { output, session_type: 'bash' }
    } catch (error) {
      await this.#sessions.get(name)?.close()
      this.#sessions.delete(name)
      throw error
    }
  }

  async #open(): Promise<BashSession> {
    const environment = await this.#container.id()
    const { terminalId } = await this.#client.call('create', { environment, waitTimeoutMs: startMs })
    const file = `/run/swerex/command-${++this.#lastNumber}`
    return new BashSession({ client: this.#client, container: this.#container, terminalId, file })
  }

  /** Errors: {@link Swerexception}. */
  run(action: BashAction | BashInterrupt): Promise<BashObservation> {
    const session = this.#find(action.session)
    if (action.action_type === 'bash_interrupt') return session.interrupt(action)
    return this.#queue.run(action.session, () => session.run(action))
  }

  async closeSession(name: string) {
    const session = this.#find(name)
    this.#sessions.delete(name)
    await session.close()
    return { session_type: 'bash' }
  }

  /** Errors: `CommandTimeoutError`, `NonZeroExitCodeError`. */
  async execute(command: Execute): Promise<JsonObject> {
    const timeoutMs = command.timeout === null ? stepMsMax : Math.max(1, Math.ceil(command.timeout * 1_000))
    const where = defined({ cwd: command.cwd ?? undefined, env: command.env ?? undefined })
    const done = await this.#container.exec(wordsOf(command), { ...where, timeoutMs: Math.min(timeoutMs, stepMsMax) })
    const [stdout, stderr] = [done.stdout, done.stderr].map((bytes) => decodeText(bytes, null, 'backslashreplace'))
    const lost =
      done.droppedBytes > 0 ? `\n[agentpty: ${done.droppedBytes} bytes of output beyond 8 MiB are left out]\n` : ''
    const said = { stdout, stderr: `${stderr}${lost}` }
    if (done.exitCode === null)
      throw new Swerexception('timeout', `Timeout (${command.timeout}s) exceeded while running command`, said)
    if (command.check && done.exitCode !== 0) {
      const message = `Command ${JSON.stringify(command.command)} failed with exit code ${done.exitCode}. Stdout:\n${stdout}\nStderr:\n${stderr}`
      throw new Swerexception('nonZero', command.error_msg === '' ? message : `${command.error_msg}: ${message}`, said)
    }
    return { ...said, exit_code: done.exitCode }
  }

  async readFile(asked: ReadFile): Promise<JsonObject> {
    return { content: await readFile(this.#container, asked) }
  }

  async writeFile(path: string, content: string): Promise<JsonObject> {
    await writeFile(this.#container, path, Buffer.from(content))
    return {}
  }

  async upload(uploaded: Uploaded): Promise<JsonObject> {
    await upload(this.#container, uploaded)
    return {}
  }

  /** Ends its container and everything in it, sessions included. */
  async close(): Promise<void> {
    this.#sessions.clear()
    await this.#container.close()
  }

  #find(name: string): BashSession {
    const session = this.#sessions.get(name)
    if (session === undefined) throw new Swerexception('sessionDoesNotExist', `session '${name}' does not exist`)
    if (session === null) throw new Swerexception('sessionNotInitialized', `session '${name}' is being opened`)
    return session
  }
}

/** A shell that is not at its prompt by then has something in its start-up files that holds it. */
const startMs = 10_000

const starting = {
  action_type: 'bash',
  check: 'silent',
  error_msg: '',
  expect: [],
  is_interactive_command: false,
  is_interactive_quit: false,
} as const satisfies Partial<BashAction>

/** Returns the words as Python's `subprocess` takes them: without a shell, a string is the name of a program. */
function wordsOf({ command, shell, merge_output_streams: isMerged }: Execute): readonly string[] {
  const given = typeof command === 'string' ? [command] : command
  const words = shell ? ['/bin/sh', '-c', ...given] : given
  return isMerged ? ['/bin/sh', '-c', 'exec "$@" 2>&1', 'sh', ...words] : words
}
