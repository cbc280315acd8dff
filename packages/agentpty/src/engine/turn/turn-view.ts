/** Everything that a verdict is judged from, at one moment. */

import type { Exit, Facts } from '../../contracts/ports.ts'
import type { Kind } from '../../contracts/session/verdict.ts'
import type { Millis } from '../../contracts/units.ts'
import type { AgentReport } from '../agents/agent-report.ts'
import type { CursorLine } from './cursor-line.ts'

/** How a program waits when it waits for its caller, over all such waits so far. */
export interface Rest {
  readonly waiter: number
  /** Null when it has waited without end at least once: then a timer means work. */
  readonly timeoutMs: Millis | null
  /** By the host's clock, when the timer it rested with was due; null without one. */
  readonly timerAt: Millis | null
  readonly otherFds: number
  readonly sockets: number
  /** The terminal edited lines for it: it had not put it into raw mode. */
  readonly canonical: boolean
  /** Something stood before the cursor, or on the screen: it does ask when it waits. */
  readonly asked: boolean
  readonly kind: Kind | null
  /** It has stood behind a prompt of its own, now or before. */
  readonly interprets: boolean
}

/** A moment by the host's clock and by ours. */
export interface RestStart {
  readonly host: Millis
  readonly own: Millis
}

export interface TurnView {
  readonly exit: Exit | null
  /** Latest facts; null when none have come yet. */
  readonly facts: Facts | null
  /** They were read after the last input and after all the output we have. */
  readonly factsCurrent: boolean
  /** The program has asked the terminal something and has no answer yet: it waits for us, not for the caller. */
  readonly awaitsTerminal: boolean
  /** When the waiting thread was first seen as it is in `facts`. */
  readonly restingSince: RestStart
  /** The same program's last wait for its caller; null when it had none. */
  readonly lastRest: Rest | null
  readonly lastOutputAt: Millis
  readonly lastInputAt: Millis
  /** Whole lines have come out since the last input, or the program has drawn since. */
  readonly answeredSinceInput: () => boolean
  /** It has answered the last input and then stood behind a prompt of its own; what it has written since came by itself. */
  readonly promptedSinceInput: () => boolean
  /** A part of the input is still to be typed. */
  readonly inputUnfinished: boolean
  /** An Escape was pressed; until then the program may still take it for the start of another key. */
  readonly escapeUntil: Millis
  /** When it was first known that the program has taken the last input; null while it is not. */
  readonly consumedAt: Millis | null
  /** The shell has drawn its prompt and runs nothing. */
  readonly atPrompt: boolean
  /** What stands at its prompt is unfinished: it waits for the rest of a command. */
  readonly continues: boolean
  /** A shell command is running by the marks. */
  readonly commandRunning: boolean
  readonly startedAsShell: boolean
  readonly alternateScreen: boolean
  readonly bracketedPaste: boolean
  readonly cursorHidden: boolean
  /** The program has turned bracketed paste on since the last input: line editors do when they begin a line. */
  readonly pasteSinceInput: boolean
  /** It shows, by OSC 9;4, that its work goes on. */
  readonly progressing: boolean
  /** The program places its text on the screen. */
  readonly paints: () => boolean
  readonly cursorLine: () => CursorLine
  /** The text before the cursor is one that stood there when the program last waited. */
  readonly isKnownPrompt: () => boolean
  /** What the program itself says about its work; null when it says nothing. */
  readonly agent: AgentReport | null
}
