/** The data of the detail view of one terminal, agent or group, updated while the view is visible. */

import type { Clock, Stop } from '@agentpty/protocol'
import { aboveOf, type TreeRow } from '@agentpty/protocol/overview'
import type { TimelineItem } from '@agentpty/protocol/timeline'
import type { VerbOutput } from '@agentpty/protocol/verbs'
import type { WireClient } from '@agentpty/protocol/wire'
import type { Observable } from '../link/observable.ts'
import type { TerminalsTree } from '../tree/terminals-tree.ts'
import type { Details } from './details-html.ts'

export interface DetailsSources {
  readonly client: Observable<WireClient | null>
  readonly tree: TerminalsTree
  readonly clock: Clock
}

/** The minimum time between two requests. */
const gatherMs = 1_000
/** The items in one response, and the maximum shown. */
const pageItems = 100
const itemsMax = 1_000

export class DetailsFeed {
  readonly id: string
  readonly #sources: DetailsSources
  readonly #show: (details: Details | null) => void
  readonly #stops: (() => void)[]
  #entry: TreeRow | null = null
  #items: readonly TimelineItem[] = []
  #older: string | null = null
  #sum: Details['sum'] = null
  #stopGathering: Stop | null = null
  #isVisible = true
  #hasAsked = false
  #beganAt: number | null = null
  #isOver = false

  /** `show` receives null once the id no longer exists. */
  constructor(id: string, sources: DetailsSources, show: (details: Details | null) => void) {
    this.id = id
    this.#sources = sources
    this.#show = show
    const { tree, client } = sources
    const heard = tree.onDidUpdate(() => this.#changed())
    this.#stops = [() => heard.dispose(), client.subscribe(() => this.#gather())]
    this.#changed()
  }

  /** A hidden view requests nothing. */
  set isVisible(isVisible: boolean) {
    this.#isVisible = isVisible
    if (isVisible) this.#changed()
  }

  close(): void {
    this.#isOver = true
    this.#stopGathering?.()
    for (const stop of this.#stops) stop()
  }

  show(): void {
    const { all } = this.#sources.tree
    const entry = all.find(({ id }) => id === this.id)
    if (entry === undefined) {
      this.#show(null)
      return
    }
    const at = all.indexOf(entry)
    const end = all.findIndex((one, index) => index > at && one.depth <= entry.depth)
    const children = all.slice(at + 1, end === -1 ? undefined : end).filter(({ depth }) => depth === entry.depth + 1)
    const items = entry.row === null ? null : this.#items
    const above = aboveOf(all, this.id)
    this.#show({
      entry,
      above,
      children,
      sum: this.#sum,
      beganAt: this.#beganAt,
      items,
      hasOlder: this.#older !== null,
    })
  }

  /** Errors: those of `timeline`. */
  async showOlder(): Promise<void> {
    const client = this.#sources.client.peek()
    if (client === null || this.#older === null) return
    const page = await client.call('timeline', { terminalId: this.id, before: this.#older, limit: pageItems })
    this.#items = [...page.items, ...this.#items]
    this.#older = this.#items.length >= itemsMax ? null : (page.next ?? null)
    this.show()
  }

  #changed(): void {
    if (this.#isOver || !this.#isVisible) return
    const entry = this.#sources.tree.all.find(({ id }) => id === this.id) ?? null
    const isNews = entry === null || entry.row !== this.#entry?.row || entry.node !== this.#entry?.node
    this.#entry = entry
    this.show()
    if (isNews && entry !== null) this.#gather()
  }

  #gather(): void {
    const { clock } = this.#sources
    if (this.#isOver || !this.#isVisible || this.#stopGathering !== null) return
    const waitMs = this.#hasAsked ? gatherMs : 0
    this.#hasAsked = true
    this.#stopGathering = clock.callAt(clock.now() + waitMs, () => {
      this.#stopGathering = null
      // The tree shows a closed terminal, and the link a lost connection.
      this.#ask().catch(() => {})
    })
  }

  async #ask(): Promise<void> {
    const client = this.#sources.client.peek()
    if (client === null) return
    const { rollUps, nodes } = await client.call('lineage', { nodeId: this.id })
    this.#sum = rollUps[nodes[0]?.nodeId ?? ''] ?? null
    this.#beganAt = nodes[0]?.createdAt ?? null
    if (this.#entry !== null && this.#entry.row !== null)
      this.#take(await client.call('timeline', { terminalId: this.id, limit: pageItems }))
    if (!this.#isOver) this.show()
  }

  /** Replaces the newest items; older ones stay. */
  #take({ items, next }: VerbOutput<'timeline'>): void {
    const begin = items[0]?.at ?? Number.POSITIVE_INFINITY
    const before = this.#items.filter(({ at }) => at < begin)
    if (before.length === 0) this.#older = next ?? null
    this.#items = [...before, ...items].slice(-itemsMax)
  }
}
