import type { Millis } from '@agentpty/protocol'
import { isProgressing, type Mark } from '../marks/parse-osc.ts'
import { type AgentReport, parseStatusReport, type Status, StatusRecords } from './program-status.ts'
import { readSigns, type ScreenSigns, type ScreenText } from './screen-signs.ts'

// Reads the state of work from a title. Agents put a spinner, a sign or a word in front of it. A title without any of these has
// no state, unless the same program has used one before.

type TitleState = 'idle' | 'working' | 'blocked'

/** Frames of the usual spinners: braille, quarter and half circles, clock hands; some of them with the selector for text. */
const spinner = /^[\u2800-\u28ff◐◑◒◓◴◵◶◷◰◱◲◳⣾⣽⣻⢿⡿⣟⣯⣷]\ufe0e?\s/u
const blocked =
  /\b(?:action required|approval (?:required|requested)|needs? (?:your )?(?:approval|attention|input)|waiting for (?:your )?(?:approval|input|answer))\b/i
const working = /^[^\p{L}\p{N}\s]\s*(?:working|thinking|running|busy)\b/iu
const ready = /^[^\p{L}\p{N}\s]\s*(?:ready|idle|waiting)\b/iu

/** Null for a title that says nothing by itself. */
export function titleState(title: string): TitleState | null {
  if (blocked.test(title)) return 'blocked'
  if (spinner.test(title) || working.test(title)) return 'working'
  return ready.test(title) ? 'idle' : null
}

type State = AgentReport['state']

/** Without a report, a still screen is taken for the end of the work only after this time. */
const stillMs = 400
/** A program that reports to be idle may do so before the last of its work is drawn. */
const drawnMs = 120
/** The time after which it is at rest, and its further drawing is not work. */
const settledMs = 1_500
/** Work is animated. A screen that shows how to interrupt it and does not change for this many ms always shows that. */
const motionlessMs = 2_000
/** Keys sent in the very moment a dialog appears are lost on some. */
const dialogTakesKeysMs = 250
/** An agent that has set its title draws itself within this time. */
const startingMsMax = 10_000
/** A question that was announced may not be on the screen yet. */
const dialogDrawnMs = 1_000

const stateOf: Readonly<Record<Status, State>> = {
  idle: 'idle',
  done: 'idle',
  error: 'idle',
  working: 'working',
  blocked: 'blocked',
}

/**
 * The state of work of the program in a session, from the most reliable source it has: its reports, else its title,
 * else its screen. Null for programs that show none, which is most of them.
 *
 * A report from before an input says nothing about what the program does with the input. So after input a state counts
 * only once it has changed: to working, to a question, or from one of these to idle.
 */
export class AgentWatch {
  readonly #records = new StatusRecords()
  #title: { readonly state: TitleState | null } | null = null
  #titleSpeaks = false
  #screenSpeaks = false
  /** The progress by OSC 9;4; null as long as the program has shown none. */
  #progressing: boolean | null = null
  #notification: string | null = null
  #state: State | null = null
  #changedAt: Millis = 0
  /** When its question, seen on the screen, takes answers; null while it has not been seen. */
  #askingAt: Millis | null = null
  /** Its dialog as it was last seen, and as it was when keys came that only move in it; null for none. */
  #dialogShown: string | null = null
  #dialogBefore: string | null = null
  /** Input came, and nothing has changed since. */
  #isPending = false
  #hasWorked = false

  get records(): StatusRecords {
    return this.#records
  }

  typed(bytes: Uint8Array): void {
    this.#isPending = true
    this.#dialogBefore = onlyMoves(bytes) ? this.#dialogShown : null
  }

  /** Since the last input the agent started to work, asked something, or ended its work. */
  get tookInput(): boolean {
    return !this.#isPending
  }

  /** The program has been at work, so that what it asks may be about that. */
  get hasWorked(): boolean {
    return this.#hasWorked
  }

  apply(mark: Mark, now: Millis): void {
    if (mark.kind === 'program-status') {
      const report = parseStatusReport(mark.raw)
      if (report !== null) this.#records.apply(report)
    } else if (mark.kind === 'title') this.#applyTitle(mark.title)
    else if (mark.kind === 'notification') this.#notification = mark.text
    else if (mark.kind === 'progress') this.#progressing = isProgressing(mark)
    else if (mark.kind === 'prompt-start' || mark.kind === 'reset') this.#end()
    else return
    this.#note(now)
  }

  /** Another program is in the foreground: what the screen and the title showed was not about it. */
  programChanged(): void {
    this.#titleSpeaks = false
    this.#screenSpeaks = false
    this.#progressing = null
    this.#hasWorked = false
    if (this.#records.root === null) this.#state = null
  }

  /** The screen matters to the next report: it need not be read otherwise. */
  get needsScreen(): boolean {
    return this.#records.root === null || this.#state === 'blocked'
  }

  /** `screen` is null where it is not needed, or not up to date. */
  report(screen: ScreenText | null, now: Millis): AgentReport | null {
    const { root } = this.#records
    if (root !== null) return this.#reported(screen, now)
    const signs = this.#readScreen(screen)
    if (this.#titleSpeaks) return isBlank(screen) ? this.#starting(signs, now) : this.#titled(signs, now)
    // Many programs offer choices; only an agent is known to be idle without them.
    if (signs === null || !(this.#screenSpeaks || signs.dialog)) return null
    const isWorking = signs.interruptible || signs.goesOn || this.#progressing === true
    const state = signs.dialog !== null ? 'blocked' : isWorking ? 'working' : 'idle'
    this.#change(state, now)
    // Progress that was shown and taken back means that the work is over; elsewhere stillness must.
    const isReported = this.#progressing !== null && state !== 'blocked'
    return this.#answer(state, {
      question: signs.dialog?.question ?? null,
      quietMs: this.#quietMs(state, isReported ? drawnMs : stillMs, now),
      motionlessMs: state === 'working' && !isReported ? motionlessMs : null,
      confidence: isReported ? 'high' : 'medium',
      why: isReported ? progressWords[state] : screenWords[state],
    })
  }

  #reported(screen: ScreenText | null, now: Millis): AgentReport {
    const urgent = this.#records.mostUrgent
    const state = this.#state ?? 'idle'
    const { app = null, message = null } = (urgent?.state === 'blocked' ? urgent : this.#records.root) ?? {}
    const who = app ?? 'the program'
    const dialog = state === 'blocked' ? this.#dialog(screen) : null
    if (state === 'blocked' && !this.#takesAnswers(dialog !== null, now)) return this.#aboutToAsk(who, 'certain')
    const question = [message, dialog?.question].find((text) => text) ?? this.#notification
    return this.#answer(state, {
      question,
      quietMs: this.#quietMs(state, drawnMs, now),
      confidence: 'certain',
      why: `${who} reports that it is ${state}`,
    })
  }

  #quietMs(state: State, ms: Millis, now: Millis): Millis {
    return state === 'idle' && now - this.#changedAt < settledMs ? ms : 0
  }

  /** Its question has been on the screen for a moment, or should have been long ago. */
  #takesAnswers(isSeen: boolean, now: Millis): boolean {
    if (this.#askingAt === null) {
      const drawnAt = this.#changedAt + dialogDrawnMs
      this.#askingAt = isSeen ? Math.min(now + dialogTakesKeysMs, drawnAt) : null
      return now >= drawnAt
    }
    return now >= this.#askingAt
  }

  /** A dialog may be up that its title does not know of: it asks whether to trust a folder before it is ready. */
  #titled(signs: ScreenSigns | null, now: Millis): AgentReport {
    const titled = this.#title?.state ?? 'idle'
    const shown = signs?.dialog ? 'blocked' : signs?.goesOn ? 'working' : titled
    const state = titled === 'working' ? titled : shown
    this.#change(state, now)
    if (state === 'blocked' && !this.#takesAnswers(Boolean(signs?.dialog), now)) return this.#aboutToAsk('it', 'high')
    const question = signs?.dialog?.question ?? this.#notification
    const quietMs = this.#quietMs(state, drawnMs, now)
    return this.#answer(state, { question, quietMs, confidence: 'high', why: `its title says that it is ${state}` })
  }

  /** Some set their title before they can take any input; what is typed then is lost, or stays in the input box. */
  #starting(signs: ScreenSigns | null, now: Millis): AgentReport {
    const report = this.#titled(signs, now)
    const until = this.#changedAt + startingMsMax
    if (report.state !== 'idle' || now >= until) return report
    return { ...report, state: 'working', why: 'its title says that it is idle, and it has drawn nothing yet', until }
  }

  #answer(state: State, rest: Partial<AgentReport> & Pick<AgentReport, 'confidence' | 'why'>): AgentReport {
    return { question: null, quietMs: 0, motionlessMs: null, until: null, ...rest, state, current: !this.#isPending }
  }

  /** It reports the question before that can be read; an answer now would be a guess. */
  #aboutToAsk(who: string, confidence: AgentReport['confidence']): AgentReport {
    return this.#answer('working', {
      why: `${who} is about to ask something`,
      confidence,
      until: this.#changedAt + dialogDrawnMs,
    })
  }

  #dialog(screen: ScreenText | null): ScreenSigns['dialog'] {
    return screen === null ? null : readSigns(screen).dialog
  }

  /** A screen counts once it has shown how to interrupt the work, or how to choose. */
  #readScreen(screen: ScreenText | null): ScreenSigns | null {
    if (screen === null) return null
    const signs = readSigns(screen)
    if (signs.interruptible || signs.inputBox) this.#screenSpeaks = true
    this.#dialogShown = signs.dialogRows
    // Keys have moved what it points at: it has taken them, and still asks.
    if (this.#dialogBefore !== null && this.#dialogShown !== null && this.#dialogShown !== this.#dialogBefore)
      this.#isPending = false
    return signs
  }

  #applyTitle(title: string): void {
    const state = titleState(title)
    if (state !== null) this.#titleSpeaks = true
    this.#title = { state }
    if (title === '') this.#end()
  }

  #note(now: Millis): void {
    const { root, mostUrgent } = this.#records
    if (root !== null) this.#change(mostUrgent?.state === 'blocked' ? 'blocked' : stateOf[root.state], now)
    else if (this.#titleSpeaks) this.#change(this.#title?.state ?? 'idle', now)
  }

  #change(state: State, now: Millis): void {
    if (state === this.#state) return
    const wasAtWork = this.#state === 'working' || this.#state === 'blocked'
    if (state !== 'idle' || wasAtWork) this.#isPending = false
    if (state === 'working') {
      this.#notification = null
      this.#hasWorked = true
    }
    this.#state = state
    this.#changedAt = now
    this.#askingAt = null
  }

  /** Another program has the terminal. */
  #end(): void {
    this.#records.endUnfinished()
    this.#title = null
    this.#titleSpeaks = false
    this.#screenSpeaks = false
    this.#progressing = null
    this.#state = null
    this.#hasWorked = false
    this.#notification = null
  }
}

const progressWords: Readonly<Record<State, string>> = {
  idle: 'the progress it showed has ended',
  working: 'it shows progress',
  blocked: 'its screen offers choices',
}
const screenWords: Readonly<Record<State, string>> = {
  idle: 'its screen is still and offers no way to interrupt it',
  working: 'its screen tells how to interrupt it',
  blocked: 'its screen offers choices',
}

const isBlank = (screen: ScreenText | null): boolean => screen?.rows.every((row) => row.trim() === '') ?? false

/** Arrows and the like, and Tab: any other key may answer a dialog. */
function onlyMoves(bytes: Uint8Array): boolean {
  return /^(?:\t|\x1b[[O][\d;]*[A-HZ])+$/.test(Buffer.from(bytes).toString('latin1'))
}
