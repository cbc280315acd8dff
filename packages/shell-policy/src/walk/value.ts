/**
 * The known parts of words and streams before anything runs.
 *
 * An unknown part is one `unknownMark` in the text, which no argument of a program can contain. Text keeps its origin, whatever it is joined
 * with: code from the network stays code from the network.
 */

export const unknownMark = '\0'
/** Stands for something short without slashes and blanks: a number, a date, a commit's id. Paths that hold it stay where they are. */
export const someMark = '\u0001'

export const taints = {
  none: 0,
  network: 1,
  /** Put out by a decoder, or by escapes that spell characters. */
  decoded: 2,
  /** A credential, the environment or the shell's history. */
  secret: 4,
  /** The value of a variable whose name says that it is one. */
  secretVariable: 8,
  endless: 16,
  /** The output of a tool that is made to be evaluated: `ssh-agent -s`. */
  setup: 32,
  /** Ids of processes that may be the server's. */
  ownProcess: 64,
  allProcesses: 128,
} as const
export type Taint = number

export interface Arg {
  readonly text: string
  readonly taint: Taint
  /** Contains an unquoted pattern. */
  readonly isGlob: boolean
}

export interface Stream {
  /** Unknown parts are marked. */
  readonly text: string
  readonly taint: Taint
  /** Patterns of the listed files; null when it lists none. */
  readonly listed: readonly Arg[] | null
}

export const arg = (text: string, taint: Taint = taints.none): Arg => ({ text, taint, isGlob: false })
export const globArg = (text: string): Arg => ({ text, taint: taints.none, isGlob: true })

export const nothing: Stream = { text: '', taint: taints.none, listed: null }
export const textStream = (text: string, taint: Taint = taints.none): Stream => ({ text, taint, listed: null })
export const unknownStream = (taint: Taint = taints.none): Stream => textStream(unknownMark, taint)
export const listing = (listed: readonly Arg[]): Stream => ({ ...unknownStream(), listed })

export function isKnown({ text }: { readonly text: string }): boolean {
  return !text.includes(unknownMark)
}

/** Returns whether every part is known. */
export function isStatic({ text }: { readonly text: string }): boolean {
  return !text.includes(unknownMark) && !text.includes(someMark)
}

export function hasTaint({ taint }: { readonly taint: Taint }, bits: Taint): boolean {
  return (taint & bits) !== 0
}

const textMax = 200_000 // characters that are known of one value; a longer one is taken as unknown

/** Values that double with each line do not grow without end. */
export function bounded(text: string): string {
  return text.length > textMax ? unknownMark : text
}

export function joined(streams: readonly Stream[]): Stream {
  const [only] = streams
  if (streams.length === 1 && only !== undefined) return only
  const text = bounded(streams.map((stream) => stream.text).join(''))
  const taint = streams.reduce((all, stream) => all | stream.taint, 0)
  const listed = streams.flatMap((stream) => stream.listed ?? [])
  return { text, taint, listed: listed.length > 0 ? listed : null }
}

/** Words as one text, as `eval` and `ssh` join them. */
export function joinedArgs(args: readonly Arg[]): Arg {
  return {
    text: args.map(({ text }) => text).join(' '),
    taint: args.reduce((all, { taint }) => all | taint, 0),
    isGlob: args.some(({ isGlob }) => isGlob),
  }
}

export const asStream = ({ text, taint }: Arg): Stream => textStream(text, taint)

const shownMax = 300 // characters

/** A command as findings name it. Each of its operands may be a finding, so only the words that are shown are joined. */
export function shownCommand(words: readonly Arg[]): string {
  const shown = words.slice(0, shownMax)
  return shownText(shown.map(({ text }) => text).join(' '))
}

/** Returns the text with unknown parts as an ellipsis. */
export const shownText = (text: string): string =>
  text.slice(0, shownMax).replaceAll(unknownMark, '…').replaceAll(someMark, '…')
