/** Prompts that programs show on their own and wait for: a dialog of an agent, a password, a yes or no. */

import type { Glance } from '@agentpty/engine/host'
import { choicesOf } from '@agentpty/engine/screen'
import type { Session } from '@agentpty/engine/session'
import type { Clock } from '@agentpty/protocol'
import { withoutEscapes } from '@agentpty/protocol/escapes'
import { attachedNeedAfterMs, type Need, type NeedKind, needAfterMs, needOptionsMax } from '@agentpty/protocol/needs'
import { cut, programNameOf, type ScopedNeed, titleOf } from './scoped-need.ts'

interface Asked {
  readonly session: Session
  /** The revision of the glance in which it was read. */
  readonly revision: number
  readonly needId: string
  readonly kind: NeedKind
  text: string
  options: readonly string[]
  /** It was read from the screen; before that it is no need. */
  isRead: boolean
}

/** How much of the end of the output holds the line at the cursor. */
const lineBytesMax = 2_048
/** The choices of a confirmation, at the end of the line. */
const confirmation = /[[(]\s*(y(?:es)?\s*[/|]\s*n(?:o)?(?:\s*[/|][^\])]{0,30})?)\s*[\])]\s*[:?>]?\s*$/i

export class Prompts {
  readonly #clock: Clock
  #asked = new Map<string, Asked>()
  readonly #reading = new Set<Promise<void>>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  update(glances: readonly Glance[]): readonly ScopedNeed[] {
    const asked = new Map<string, Asked>()
    for (const glance of glances) {
      const { id } = glance.session.info
      const one = this.#askedBy(glance, this.#asked.get(id))
      if (one !== null) asked.set(id, one)
    }
    this.#asked = asked
    return glances.flatMap((glance) => this.#need(glance))
  }

  async read(): Promise<void> {
    await Promise.all(this.#reading)
  }

  /** Returns whether the same words are at the cursor. */
  stillAsks(needId: string): boolean {
    const asked = [...this.#asked.values()].find((one) => one.needId === needId)
    return asked !== undefined && asked.session.exit === null && lineOf(asked.session) === asked.text
  }

  #askedBy({ session, verdict, revision, judgedTo }: Glance, before: Asked | undefined): Asked | null {
    if (verdict?.state !== 'ready') return null
    if (before?.session === session && before.revision === revision) return before
    const from = { session, revision, needId: `${session.info.id}@${judgedTo}` }
    if (verdict.needs === 'answer') {
      const asked = { ...from, kind: 'dialog' as const, text: verdict.question ?? '', options: [], isRead: false }
      this.#readLater(asked)
      return asked
    }
    if (verdict.kind === 'password')
      return { ...from, kind: 'password', text: lineOf(session), options: [], isRead: true }
    if (verdict.kind !== 'line' && verdict.kind !== 'key' && verdict.kind !== 'other') return null
    const text = lineOf(session)
    const options = confirmation.exec(text)?.[1]?.split(/[/|]/)
    if (options === undefined) return null
    return { ...from, kind: 'confirmation', text, options: options.map((one) => one.trim()), isRead: true }
  }

  #readLater(asked: Asked): void {
    const reading = asked.session.screen().then((screen) => {
      const choices = choicesOf(screen.picture())
      asked.options = (choices?.groups ?? []).flatMap((group) => group.choices.map(({ label }) => label))
      if (asked.text === '') asked.text = choices?.question ?? ''
      asked.isRead = true
      this.#reading.delete(reading)
    })
    this.#reading.add(reading)
  }

  #need({ session, since }: Glance): readonly ScopedNeed[] {
    const { info, followers, program } = session
    const asked = this.#asked.get(info.id)
    if (asked === undefined || !asked.isRead) return []
    const after = followers.isLookedAt ? attachedNeedAfterMs : needAfterMs
    const typedFor = this.#clock.now() - program.lastInputAt
    const waits = Math.min(this.#clock.wall() - since, program.lastInputAt === 0 ? Number.POSITIVE_INFINITY : typedFor)
    return waits < after ? [] : [{ need: needOf(asked, since), scope: info.scope }]
  }
}

function needOf({ session, needId, kind, text, options }: Asked, since: number): Need {
  const { id } = session.info
  const askedBy = programNameOf(session)
  return {
    needId,
    kind,
    terminalId: id,
    title: titleOf(session),
    text: cut(text),
    ...(options.length === 0 ? {} : { options: options.slice(0, needOptionsMax).map(cut) }),
    since,
    ...(askedBy === '' ? {} : { askedBy }),
    ...(kind === 'password' ? { isSecret: true } : {}),
    answerBy: answerBy(kind, { terminalId: id, needId }),
  }
}

function answerBy(
  kind: NeedKind,
  { terminalId, needId }: { readonly terminalId: string; readonly needId: string },
): Need['answerBy'] {
  const input = { terminalId }
  if (kind === 'dialog') return { verb: 'reply', input, answer: 'option' }
  if (kind === 'password') return { verb: 'secret', input, answer: 'text' }
  return { verb: 'send', input: { ...input, ifAsked: needId }, answer: 'text' }
}

/** The line at the cursor, as it was printed. */
function lineOf({ log }: Session): string {
  const { bytes } = log.read({ since: Math.max(log.start, log.end - lineBytesMax) })
  const text = withoutEscapes(Buffer.from(bytes).toString())
  return (text.split(/[\r\n]/).at(-1) ?? '').trim()
}
