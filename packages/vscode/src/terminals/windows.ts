/**
 * Chooses the window that shows a newly opened terminal: the one with its folder, else the most recently used. Each window writes a file with
 * its folders, so all windows decide alike.
 */

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface EditorWindow {
  readonly pid: number
  readonly folders: readonly string[]
  /** The last focus, in milliseconds since 1970. */
  readonly focusedAt: number
}

const windowsMax = 100

/** Returns null without windows. */
export function windowFor(cwd: string, windows: readonly EditorWindow[]): EditorWindow | null {
  const nearness = ({ folders }: EditorWindow) =>
    Math.max(0, ...folders.filter((folder) => isInside(cwd, folder)).map((folder) => folder.length))
  return windows.reduce<EditorWindow | null>((best, one) => {
    if (best === null) return one
    const difference = nearness(one) - nearness(best)
    return difference > 0 || (difference === 0 && one.focusedAt > best.focusedAt) ? one : best
  }, null)
}

const isInside = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)

export class Windows {
  readonly #folder: string
  readonly #file: string

  /** `folder`: the folder where windows of this user write their files. */
  constructor(folder: string) {
    this.#folder = folder
    this.#file = join(folder, `${process.pid}.json`)
  }

  tell(folders: readonly string[], focusedAt: number): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    const own: EditorWindow = { pid: process.pid, folders, focusedAt }
    writeFileSync(this.#file, JSON.stringify(own), { mode: 0o600 })
  }

  isOurs(cwd: string): boolean {
    const found = windowFor(cwd, this.#all())
    return found === null || found.pid === process.pid
  }

  forget(): void {
    rmSync(this.#file, { force: true })
  }

  /** Returns the live windows and deletes the files of others. */
  #all(): readonly EditorWindow[] {
    return readdirSync(this.#folder)
      .slice(0, windowsMax)
      .flatMap((name) => {
        const file = join(this.#folder, name)
        const read = readWindow(file)
        if (read !== null && isAlive(read.pid)) return [read]
        rmSync(file, { force: true })
        return []
      })
  }
}

function readWindow(file: string): EditorWindow | null {
  try {
    const { pid, folders, focusedAt } = JSON.parse(readFileSync(file, 'utf8')) as EditorWindow
    return Number.isInteger(pid) && Array.isArray(folders) && Number.isFinite(focusedAt)
      ? { pid, folders: folders.map(String), focusedAt }
      : null
  } catch {
    // Incomplete, or deleted meanwhile.
    return null
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
