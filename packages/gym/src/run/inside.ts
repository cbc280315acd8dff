/** The environment of one trial, as a trial uses it: reset and stepped through, with files put in and taken out. */

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { type Client, defined, invalidInput, limitReached, type Millis, machineUnfit } from '@agentpty/protocol'
import {
  type Action,
  artifactBytesMax,
  type EnvironmentInput,
  execInputBytesMax,
  execOutputBytesMax,
  type ResetResult,
  type StepResult,
} from '@agentpty/protocol/gym'
import { packFolder } from '../tree/pack.ts'

export interface Ran {
  readonly output: Buffer
  readonly exitCode: number | null
  readonly droppedBytes: number
}

export interface RunInside {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  readonly input?: Uint8Array
  readonly timeoutMs?: Millis
}

/** Lists the plain files, folders and links below the paths; no pipes and no devices. */
const plainFiles = `find "$@" \\( -type f -o -type d -o -type l \\) -print0 2>/dev/null`

export class Inside {
  readonly #client: Pick<Client, 'call'>
  readonly environmentId: string

  constructor(client: Pick<Client, 'call'>, environmentId: string) {
    this.#client = client
    this.environmentId = environmentId
  }

  /** Errors: those of `makeEnvironment`. */
  static async make(client: Pick<Client, 'call'>, spec: EnvironmentInput): Promise<Inside> {
    const { environmentId } = await client.call('makeEnvironment', spec)
    return new Inside(client, environmentId)
  }

  /** Resets without a seed. Programs could find a seed, and with it the expected result of a task. */
  reset(): Promise<ResetResult> {
    return this.#client.call('resetEnvironment', this.#id)
  }

  step(action: Action): Promise<StepResult> {
    return this.#client.call('stepEnvironment', { ...this.#id, action })
  }

  /** Returns another environment with the current files, and new programs. */
  async goOn(): Promise<{ readonly inside: Inside; readonly begun: ResetResult }> {
    const { environmentId, ...begun } = await this.#client.call('forkEnvironment', { ...this.#id, how: 'files' })
    return { inside: new Inside(this.#client, environmentId), begun }
  }

  /** Both outputs in one. `command` is a line of bash. Errors: those of `execInEnvironment`. */
  async run(command: string, { input, ...options }: RunInside = {}): Promise<Ran> {
    const stdin = input === undefined ? undefined : Buffer.from(input).toString('base64')
    const asked = defined({ ...this.#id, command: `{ ${command}\n} 2>&1`, ...options, input: stdin })
    const { stdout, exitCode, droppedBytes = 0 } = await this.#client.call('execInEnvironment', asked)
    return { output: Buffer.from(stdout, 'base64'), exitCode, droppedBytes }
  }

  /** All programs inside are ended, with what they have started. */
  async sweep(): Promise<void> {
    await this.#client.call('execInEnvironment', { ...this.#id, command: ['true'], sweep: true })
  }

  /** Puts the contents of the folder at `path` below `root`, on this machine, into a folder inside. Errors: `machine_unfit`, `invalid_input`, `limit_reached`. */
  async put(root: string, path: string, target: string): Promise<void> {
    const archive = packFolder(root, path)
    if (archive === null) throw invalidInput(`${join(root, path)} is no folder.`, 'Make it a folder of plain files.')
    await this.unpack(archive, target)
  }

  /** Unpacks a tar archive; no entry can be outside of the target. Errors: `machine_unfit`. */
  async unpack(archive: Uint8Array, target: string): Promise<void> {
    if (archive.length === 0) return
    const part = freshName()
    for (let at = 0; at < archive.length; at += execInputBytesMax) {
      const input = archive.subarray(at, at + execInputBytesMax)
      await this.#must(`cat ${at === 0 ? '>' : '>>'} ${part}`, { input })
    }
    await this.#must(
      `mkdir -p ${quoted(target)} && tar -x --no-same-owner -f ${part} -C ${quoted(target)} && rm ${part}`,
    )
  }

  /** Returns an archive of absolute paths, without their leading slash; empty without paths. Errors: `machine_unfit`, `limit_reached`. */
  async take(paths: readonly string[], exclude: readonly string[] = []): Promise<Buffer> {
    if (paths.length === 0) return Buffer.alloc(0)
    const words = [...new Set(paths)].map((path) => quoted(`.${path}`)).join(' ')
    const without = exclude.map((pattern) => `--exclude=${quoted(pattern)}`).join(' ')
    const file = freshName()
    const archive = `tar --null --no-recursion ${without} -T - -cf ${file}`
    // find leaves out missing files and reports them by its exit code. A file that tar cannot pack is an error.
    await this.#must(
      `cd / && set -- ${words} && ${plainFiles} | sed -z 's|^\\./||' | ${archive}; exit "\${PIPESTATUS[2]}"`,
    )
    const { output: size } = await this.run(`stat -c %s ${file}`)
    const bytes = Number(size.toString())
    if (bytes > artifactBytesMax)
      throw limitReached(`What is to be taken out has ${bytes} bytes, more than ${artifactBytesMax}.`, 'Name less.')
    const parts: Buffer[] = []
    for (let at = 0; at < bytes; at += execOutputBytesMax)
      parts.push((await this.run(`tail -c +${at + 1} ${file} | head -c ${execOutputBytesMax}`)).output)
    await this.run(`rm -f ${file}`)
    return Buffer.concat(parts)
  }

  /** Makes /logs and /tmp folders that can be used, whatever programs have made of them. Errors: `machine_unfit`. */
  async restoreFolders(): Promise<void> {
    await this.#must(usableFolders)
  }

  /**
   * Makes /logs/verifier an empty folder and removes /tests. The superuser of a container has no right to pass over modes, so a player could keep
   * planted files by closing their folder. Errors: `machine_unfit` where something planted stays.
   */
  async clearVerifierFolders(): Promise<void> {
    await this.#must(`${usableFolders}
for path in /logs/verifier /tests; do
  if [ -d $path ] && [ ! -L $path ]; then chmod -R u+rwx $path; fi
  rm -rf $path
  if [ -e $path ] || [ -L $path ]; then echo "$path cannot be removed"; exit 1; fi
done
mkdir -m 777 /logs/verifier`)
  }

  /** Makes /logs/verifier where it is missing. Errors: `machine_unfit`. */
  async makeVerifierFolder(): Promise<void> {
    await this.#must(`${usableFolders}\nmkdir -p /logs/verifier && chmod 777 /logs/verifier`)
  }

  /** Removes everything at these paths except mounts. */
  async remove(paths: readonly string[]): Promise<void> {
    if (paths.length > 0) await this.run(`rm -rf -- ${paths.map(quoted).join(' ')}`)
  }

  /** Null for what is no plain file, or longer. */
  async read(path: string, bytesMax: number): Promise<Buffer | null> {
    const one = quoted(path)
    const { output, exitCode } = await this.run(`test -f ${one} && test ! -L ${one} && head -c ${bytesMax + 1} ${one}`)
    return exitCode === 0 ? output : null
  }

  async close(): Promise<void> {
    await this.#client.call('closeEnvironment', this.#id)
  }

  get #id() {
    return { environmentId: this.environmentId }
  }

  async #must(command: string, options: RunInside = {}): Promise<void> {
    const { exitCode, output } = await this.run(command, options)
    if (exitCode === 0) return
    const why = output.toString().trim().slice(-300) || `exit code ${exitCode}`
    throw machineUnfit(`Files could not be moved in or out: ${why}.`, 'Is the disk or the memory full?')
  }
}

const usableFolders = `chmod u+rwx /
for path in /logs /tmp; do
  if [ -L $path ] || [ ! -d $path ]; then rm -rf $path && mkdir $path || exit 1; fi
  chmod u+rwx $path || exit 1
done
chmod 1777 /tmp`

/** A file inside that no program there can have prepared: its name is random. */
const freshName = (): string => `/tmp/.agentpty-${randomBytes(12).toString('hex')}`

/** For a shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
