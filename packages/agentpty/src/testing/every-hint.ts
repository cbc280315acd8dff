/** The texts of the product that name a next move by our own tools. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const source = join(import.meta.dirname, '..')

/** Texts that may be shown by any face: those of the layers below faces, and of the way to the daemon. */
export function everyHint(): readonly string[] {
  // Except that one, which is of the daemon's own protocol.
  const isProtocol = (file: string) => file === 'contracts/session/events.ts'
  const rooms = ['contracts', 'engine', 'shell-policy', 'server', 'gym', 'faces/wire', 'faces/daemon', 'faces/library']
  return (
    rooms
      .flatMap((room) =>
        readdirSync(join(source, room), { recursive: true, encoding: 'utf8' }).map((file) => join(room, file)),
      )
      .filter(
        (file) =>
          file.endsWith('.ts') && !file.endsWith('.test.ts') && !/^contracts\/verbs\/|tool-words|door-words/.test(file),
      )
      .filter((file) => !isProtocol(file))
      // Each literal is taken as a whole, so that the end of one is not the beginning of the next.
      .flatMap((file) => readFileSync(join(source, file), 'utf8').match(/(['`"])(?:(?!\1)[^\\\n]|\\.)*\1/g) ?? [])
      .filter((text) => /terminal(?:_[a-z]|Id\b)/.test(text))
      .filter((text) => text.includes(' ') && !/\$\{terminalId\}/.test(text))
      .map((text) => text.slice(1, -1))
  )
}
