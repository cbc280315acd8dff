/** How the slots of a split view share its area: a tree of splits, with a terminal at each leaf. */

export interface Slot {
  readonly terminalId: string
}

/** `row`: side by side. `column`: one above the other. */
export type Direction = 'row' | 'column'

export interface Split {
  readonly direction: Direction
  readonly first: Layout
  readonly second: Layout
  /** The part of the area that the first one has, from {@link shareMin} to 1 - {@link shareMin}. */
  readonly share: number
}

export type Layout = Slot | Split

/** The side of a slot on which another one is put. */
export type Side = 'left' | 'right' | 'above' | 'below'

/** A smaller slot shows nothing that a person can read. */
export const shareMin = 0.1
/** The page draws each slot by an emulator of its own. */
export const slotsMax = 8
/** Splits inside each other, of a stored layout. */
const depthMax = slotsMax

const isSlot = (layout: Layout): layout is Slot => 'terminalId' in layout

/** Returns the terminals in reading order. */
export function terminalsOf(layout: Layout): readonly string[] {
  return isSlot(layout) ? [layout.terminalId] : [...terminalsOf(layout.first), ...terminalsOf(layout.second)]
}

/** Puts a terminal beside another one. If it is in the layout already, it moves. */
export function putBeside(layout: Layout, at: string, side: Side, terminalId: string): Layout {
  if (at === terminalId) return layout
  const rest = without(layout, terminalId) ?? layout
  const added: Slot = { terminalId }
  return changed(rest, at, (slot) => {
    const isFirst = side === 'left' || side === 'above'
    const direction = side === 'left' || side === 'right' ? 'row' : 'column'
    return { direction, first: isFirst ? added : slot, second: isFirst ? slot : added, share: 0.5 }
  })
}

/** Shows a terminal in the slot of another one. If it is in the layout already, the two change places. */
export function putInto(layout: Layout, at: string, terminalId: string): Layout {
  const swap = (one: Layout): Layout => {
    if (!isSlot(one)) return { ...one, first: swap(one.first), second: swap(one.second) }
    if (one.terminalId === at) return { terminalId }
    return one.terminalId === terminalId ? { terminalId: at } : one
  }
  return swap(layout)
}

/** Returns the layout without a terminal; its neighbour gets the area. Null if nothing is left. */
export function without(layout: Layout, terminalId: string): Layout | null {
  if (isSlot(layout)) return layout.terminalId === terminalId ? null : layout
  const [first, second] = [without(layout.first, terminalId), without(layout.second, terminalId)]
  if (first === null || second === null) return first ?? second
  return { ...layout, first, second }
}

function changed(layout: Layout, at: string, change: (slot: Slot) => Layout): Layout {
  if (isSlot(layout)) return layout.terminalId === at ? change(layout) : layout
  return { ...layout, first: changed(layout.first, at, change), second: changed(layout.second, at, change) }
}

/** An area in shares of the whole view. */
export interface Area {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

const whole: Area = { left: 0, top: 0, width: 1, height: 1 }

/** Returns the area of each slot, in reading order. */
export function slotsOf(layout: Layout, area: Area = whole): readonly (Slot & Area)[] {
  if (isSlot(layout)) return [{ ...area, terminalId: layout.terminalId }]
  const [first, second] = divided(layout, area)
  return [...slotsOf(layout.first, first), ...slotsOf(layout.second, second)]
}

/** The line between the two parts of a split. */
export interface Divider {
  /** The way to its split from the root: `0` is the first part and `1` the second. */
  readonly path: string
  readonly direction: Direction
  readonly share: number
  /** The area of the split. */
  readonly area: Area
}

export function dividersOf(layout: Layout, area: Area = whole, path = ''): readonly Divider[] {
  if (isSlot(layout)) return []
  const { direction, share } = layout
  const [first, second] = divided(layout, area)
  return [
    { path, direction, share, area },
    ...dividersOf(layout.first, first, `${path}0`),
    ...dividersOf(layout.second, second, `${path}1`),
  ]
}

function divided({ direction, share }: Split, area: Area): readonly [Area, Area] {
  const { left, top, width, height } = area
  if (direction === 'row')
    return [
      { ...area, width: width * share },
      { ...area, left: left + width * share, width: width * (1 - share) },
    ]
  return [
    { ...area, height: height * share },
    { ...area, top: top + height * share, height: height * (1 - share) },
  ]
}

/** Moves the divider of the split at `path`. */
export function withShare(layout: Layout, path: string, share: number): Layout {
  if (isSlot(layout)) return layout
  const [step, rest] = [path[0], path.slice(1)]
  if (step === '0') return { ...layout, first: withShare(layout.first, rest, share) }
  if (step === '1') return { ...layout, second: withShare(layout.second, rest, share) }
  return { ...layout, share: Math.min(1 - shareMin, Math.max(shareMin, share)) }
}

export type Arrangement = 'columns' | 'rows' | 'grid'

/** Gives all terminals the same space. A grid is as wide as it is high; its last row may have fewer terminals. */
export function arranged(terminalIds: readonly string[], arrangement: Arrangement): Layout | null {
  const slots = terminalIds.map((terminalId) => ({ terminalId }))
  if (arrangement !== 'grid') return inLine(slots, arrangement === 'columns' ? 'row' : 'column')
  const columns = Math.ceil(Math.sqrt(slots.length))
  const rows = Array.from({ length: Math.ceil(slots.length / Math.max(1, columns)) }, (_, row) =>
    inLine(slots.slice(row * columns, (row + 1) * columns), 'row'),
  )
  return inLine(
    rows.filter((row) => row !== null),
    'column',
  )
}

function inLine([first, ...others]: readonly Layout[], direction: Direction): Layout | null {
  if (first === undefined) return null
  const second = inLine(others, direction)
  return second === null ? first : { direction, first, second, share: 1 / (others.length + 1) }
}

/** Returns a stored layout; null if it is invalid or has a terminal twice. */
export function parseLayout(stored: unknown): Layout | null {
  const layout = parsed(stored, 0)
  if (layout === null) return null
  const terminalIds = terminalsOf(layout)
  const isDistinct = new Set(terminalIds).size === terminalIds.length
  return isDistinct && terminalIds.length <= slotsMax ? layout : null
}

function parsed(stored: unknown, depth: number): Layout | null {
  if (typeof stored !== 'object' || stored === null || depth > depthMax) return null
  const { terminalId, direction, first, second, share } = stored as Partial<Record<string, unknown>>
  if (typeof terminalId === 'string') return { terminalId }
  if ((direction !== 'row' && direction !== 'column') || typeof share !== 'number') return null
  const [one, other] = [parsed(first, depth + 1), parsed(second, depth + 1)]
  if (one === null || other === null || !(share >= shareMin && share <= 1 - shareMin)) return null
  return { direction, first: one, second: other, share }
}

/** The place at which a dragged terminal is dropped on a slot: `inside` replaces the slot's terminal. */
export type DropPlace = Side | 'inside'

/** Closer to an edge than this, the terminal is put on that side. */
const edgeShare = 0.25

/** `x`, `y`: the place of the pointer in shares of the slot. */
export function dropPlaceAt(x: number, y: number): DropPlace {
  const edges: readonly (readonly [Side, number])[] = [
    ['left', x],
    ['right', 1 - x],
    ['above', y],
    ['below', 1 - y],
  ]
  const [side, distance] = edges.reduce((nearest, edge) => (edge[1] < nearest[1] ? edge : nearest))
  return distance < edgeShare ? side : 'inside'
}
