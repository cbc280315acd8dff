/** The texts between which an agent is asked to answer. Each task has its own: an answer of an earlier one is never taken for it. */

import { randomBytes } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '@agentpty/protocol'

export interface Fences {
  readonly open: string
  readonly close: string
}

/** Letters and digits that are not mistaken for each other, neither by persons nor by models. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const nonceCharacters = 8

export function newNonce(): string {
  return [...randomBytes(nonceCharacters)].map((byte) => alphabet[byte % alphabet.length]).join('')
}

/** Words without signs: programs that draw Markdown leave them as they are. */
export function fencesOf(nonce: string): Fences {
  return { open: `BEGIN-RESPONSE-${nonce}`, close: `END-RESPONSE-${nonce}` }
}

/** Those of termtile, which everybody knows and any program can print. */
export const plainFences: Fences = { open: '[termtile-response]', close: '[/termtile-response]' }

/** First characters by which programs of agents take a text for a command of theirs: `/clear`, `!ls`, `# a note`. */
const commandStart = /^\s*[/!#$@?:&]/

/** The task with the request for fences behind it: programs name a conversation after its first words. */
export function withFenceRequest(task: string, fences: Fences): string {
  return `${commandStart.test(task) ? 'Task: ' : ''}${task}\n\n${fenceRequest(fences)}`
}

export function fenceRequest({ open, close }: Fences): string {
  return `IMPORTANT: When you are completely finished, put ONLY your final answer between a line ${open} and a line ${close} in your last message, and nothing outside of them.`
}

const prefix = 't-'

/** A folder for each sandbox, which its programs can read and those of other sandboxes cannot. Long instructions are stored there. */
export class TaskFolders {
  readonly #root: string
  /** Made for a terminal that is not there yet. */
  readonly #expected = new Set<string>()

  /** `root`: a private folder. */
  constructor(root: string) {
    this.#root = root
  }

  make(): string {
    const folder = join(this.#root, `${prefix}${randomBytes(4).toString('hex')}`)
    makeFolder(folder)
    this.#expected.add(folder)
    return folder
  }

  /** Those of terminals that are there; the others are removed with what is in them. */
  keep(folders: ReadonlySet<string>): void {
    for (const folder of folders) this.#expected.delete(folder)
    for (const folder of this.#made()) if (!folders.has(folder) && !this.#expected.has(folder)) this.remove(folder)
  }

  remove(folder: string): void {
    this.#expected.delete(folder)
    rmSync(folder, { recursive: true, force: true })
  }

  #made(): readonly string[] {
    return readdirSync(this.#root)
      .filter((name) => name.startsWith(prefix))
      .map((name) => join(this.#root, name))
  }
}
