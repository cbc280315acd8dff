/** The texts of the product that name a next move by our own tools. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const packages = join(import.meta.dirname, '..', '..', '..')

/** Texts that may be shown by any face: those of the layers below faces, and of the way to the daemon. */
export function everyHint(): readonly string[] {
  // Except that one, which is of the daemon's own protocol.
  const isProtocol = (file: string) => file === 'protocol/src/session/parse-follow.ts'
  const rooms = ['protocol/src', 'engine/src', 'shell-policy/src', 'server/src', 'gym/src', 'agentpty/src/library']
  return (
    rooms
      .flatMap((room) =>
        readdirSync(join(packages, room), { recursive: true, encoding: 'utf8' }).map((file) => join(room, file)),
      )
      .filter(
        (file) =>
          file.endsWith('.ts') &&
          !file.endsWith('.test.ts') &&
          !/^protocol\/src\/verbs\/|^gym\/src\/(?:commands|openenv|swerex)\/|tool-words|door-words/.test(file),
      )
      .filter((file) => !isProtocol(file))
      // Each literal is taken as a whole, so that the end of one is not the beginning of the next.
      .flatMap((file) => readFileSync(join(packages, file), 'utf8').match(/(['`"])(?:(?!\1)[^\\\n]|\\.)*\1/g) ?? [])
      .filter((text) => /terminal(?:_[a-z]|Id\b)/.test(text))
      .filter((text) => text.includes(' ') && !/\$\{terminalId\}/.test(text))
      .map((text) => text.slice(1, -1))
  )
}
