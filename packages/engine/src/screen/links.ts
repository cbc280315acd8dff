/**
 * Hyperlinks (OSC 8) of an emulator: its cells carry the number of a target that is kept here. The emulator's own store keeps a marker for
 * each link, which every later line must move.
 */

import type { Dropped } from '@agentpty/protocol/session'
import type { IBufferCell, Terminal } from '@xterm/headless'

/** The longest address that other terminals accept. */
export const linkCharactersMax = 2_083
/** All targets of a terminal together: some thousand file names, as of `ls --hyperlink`. */
export const linksCharactersMax = 256 << 10

/** The targets of a terminal, the newest ones within the bound. A number is never used again. */
export class Links {
  readonly #targets = new Map<number, string>()
  readonly #numbers = new Map<string, number>()
  readonly #dropped: Dropped
  #last = 0
  #characters = 0

  constructor(dropped: Dropped) {
    this.#dropped = dropped
  }

  /** No link was ever printed. */
  get isUnused(): boolean {
    return this.#last === 0
  }

  /** Returns the number of a target; 0 if it is too long. */
  numberOf(target: string): number {
    if (target.length > linkCharactersMax) {
      this.#dropped.links += 1
      return 0
    }
    const number = this.#numbers.get(target) ?? this.#add(target)
    // The order of the map is that of their last use.
    this.#targets.delete(number)
    this.#targets.set(number, target)
    this.#dropOldest()
    return number
  }

  /** Returns null for 0, and for a target that is not kept any more. */
  targetOf(number: number): string | null {
    return this.#targets.get(number) ?? null
  }

  #add(target: string): number {
    this.#last += 1
    this.#numbers.set(target, this.#last)
    this.#characters += target.length
    return this.#last
  }

  #dropOldest(): void {
    for (const [number, target] of this.#targets) {
      if (this.#characters <= linksCharactersMax) return
      this.#targets.delete(number)
      this.#numbers.delete(target)
      this.#characters -= target.length
      this.#dropped.links += 1
    }
  }
}

interface Attribute {
  extended: { urlId: number; clone(): Attribute['extended'] }
  updateExtended(): void
}

interface Handler {
  readonly _curAttrData: Attribute
  restoreCursor(...input: readonly unknown[]): boolean
}

/** Hides the parts of link targets that a reader must not see. */
export interface ShownLinks {
  readonly hide: (target: string) => string
}

/** Reads the links of cells as far as they may be shown. Returns undefined if none is to be read, or none was ever printed. */
export function linkReader(
  terminal: object,
  links: ShownLinks | null,
): ((cell: IBufferCell) => string | undefined) | undefined {
  if (links === null || linksOf(terminal)?.isUnused !== false) return undefined
  return (cell) => {
    const target = targetOfCell(terminal, cell)
    return target === null ? undefined : links.hide(target)
  }
}

/** The emulator's cell, which has more than its public type says. */
type LinkedCell = IBufferCell & { readonly bg: number; readonly extended: { readonly urlId: number } }

const hasExtended = 0x10000000

type Linked = Pick<Terminal, 'parser'> & { readonly _core?: { readonly _inputHandler?: Handler } }

const known = new WeakMap<object, Links>()

/** Null for a terminal whose links are not kept. */
export const linksOf = (terminal: object): Links | null => known.get(terminal) ?? null

/** Returns the target of the link that a cell is a part of; null for none, and for one that is not kept any more. */
export function targetOfCell(terminal: object, cell: IBufferCell): string | null {
  const { bg, extended } = cell as LinkedCell
  return (bg & hasExtended) === 0 ? null : (linksOf(terminal)?.targetOf(extended.urlId) ?? null)
}

/** Keeps the links of a terminal from now on. */
export function keepLinks(terminal: Pick<Terminal, 'parser'>, dropped: Dropped): void {
  const links = new Links(dropped)
  known.set(terminal, links)
  const handler = (terminal as Linked)._core?._inputHandler
  if (handler === undefined) return
  terminal.parser.registerOscHandler(8, (sequence) => {
    const attribute = handler._curAttrData
    // Parameters, then the target, which may contain semicolons. Without a target it ends the link before it.
    const target = sequence.slice(sequence.indexOf(';') + 1)
    const extended = attribute.extended.clone()
    extended.urlId = target === '' ? 0 : links.numberOf(target)
    attribute.extended = extended
    attribute.updateExtended()
    return true
  })
  // A saved cursor has the mark of a link, and not the link itself: the mark is that of the link which is on.
  const restore = handler.restoreCursor.bind(handler)
  handler.restoreCursor = (...input) => {
    const done = restore(...input)
    handler._curAttrData.updateExtended()
    return done
  }
}
