/** Everything that a verdict is judged from, at one moment. */

import type { Exit, Facts, Millis, Offset } from '@agentpty/protocol'
import type { AgentReport } from '../agents/program-status.ts'
import type { CaretLine } from '../screen/drawn-caret.ts'
import type { CursorLine } from './prompt-shape.ts'
import type { Nap, Rest, RestStart } from './rest.ts'

/** The readings of the output. Read only where a rule needs them, because they may need the log or a screen. */
export interface OutputReadings {
  /** The last input ended a line. */
  lineEntered(): boolean
  /** Whole lines have come out since the last input, or the program has drawn since. */
  answeredSinceInput(): boolean
  /** Text has come since the program in the foreground began, or since the last line that the terminal edited for it. */
  hasShownText(): boolean
  /** It has answered the last input and then been at a prompt of its own; what it has written since came without input. */
  promptedSinceInput(): boolean
  /** Since when it has drawn nothing but the same screen again and again; null when its last output was something else. */
  sameScreenSince(now: Millis): Millis | null
  /** The program draws its text at positions of the screen. */
  paints(): boolean
  cursorLine(): CursorLine
  /** The line of the caret that the program draws; null without one. */
  caretLine(): CaretLine | null
  /** The last line with text, wherever the cursor is. */
  lastLine(): string
  /** The program has asked in a line of its own since the last input, and the cursor is on an empty line below. */
  asksAbove(): boolean
  /** The same, with the mark of a prompt library. */
  asksWithMarkAbove(): boolean
  /** The text before the cursor is one that was there when the program last waited. */
  isKnownPrompt(): boolean
}

export interface TurnMoment {
  readonly now: Millis
  readonly exit: Exit | null
  /** All of its processes were stopped, and have not been continued. */
  readonly isPaused: boolean
  /** Output up to here has come. */
  readonly logEnd: Offset
  /** Output up to here has been read by every view of the log. */
  readonly parsedTo: Offset
  readonly output: OutputReadings
  readonly lastOutputAt: Millis
  /** When other threads than the waiting one were last seen on the processor; 0 when they never were. */
  readonly othersWorkedAt: Millis
  /** The program has asked the terminal something and has no answer yet: it waits for us, not for the caller. */
  readonly awaitsTerminal: boolean

  readonly lastInputAt: Millis
  /** A part of the input is still to be typed. */
  readonly inputUnfinished: boolean
  /** An Escape was pressed; until then the program may still take it for the start of another key. */
  readonly escapeUntil: Millis
  /** When it was first known that the program has taken the last input; null while it is not. */
  readonly consumedAt: Millis | null

  /** Latest facts of the kernel; null when none have come yet. */
  readonly facts: Facts | null
  /** When the waiting thread was first seen in the state that `facts` shows. */
  readonly restingSince: RestStart
  /** The same program's last wait for its caller; null when it had none. */
  readonly lastRest: Rest | null
  /** The last input came while a program looked for it between naps; null otherwise. */
  readonly lastNap: Nap | null
  /** Since the last input it has continued by itself from an uncertain wait for its caller. */
  readonly wentOn: boolean
  /** It is in a wait that input has ended before, and only input. */
  readonly waitIsKnown: boolean

  /** Name of the shell that the session was started with; null where it was started with another program. */
  readonly shell: string | null
  /** The shell marks its prompts, and by its marks it is at none. */
  readonly awaitsPrompt: boolean
  /** By the shell's marks: it has drawn its prompt and runs nothing. */
  readonly atPrompt: boolean
  /** By the shell's marks: the text at its prompt is unfinished, it waits for the rest of a command. */
  readonly continues: boolean
  /** By the shell's marks: a command is running. */
  readonly commandRunning: boolean
  /** The command line that started the program, as far as it is known. */
  readonly startedBy: string
  readonly alternateScreen: boolean
  readonly bracketedPaste: boolean
  readonly cursorHidden: boolean
  /** The alternate screen is on, and was switched on since the last input. */
  readonly screenSinceInput: boolean
  /** The program has turned bracketed paste on since the last input: line editors do when they begin a line. */
  readonly pasteSinceInput: boolean
  /** It shows, by OSC 9;4, that its work continues. */
  readonly progressing: boolean
  /** The program's own report about its work; null without one. */
  readonly agent: AgentReport | null
}
