/** The words for a terminal whose MCP client has ended: every face shows the same. */

/** @example endedClientWords(0, 7_200_000) // 'client ended 2 h ago' */
export function endedClientWords(endedAt: number, now: number): string {
  const minutes = Math.floor(Math.max(0, now - endedAt) / 60_000)
  if (minutes < 1) return 'client ended less than 1 min ago'
  if (minutes < 60) return `client ended ${minutes} min ago`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `client ended ${hours} h ago` : `client ended ${Math.floor(hours / 24)} days ago`
}

/** Returns the command that the caller asked for; a string was given to a shell with `-c`. */
export function commandOf(argv: readonly string[]): string {
  const [, flag, line] = argv
  return flag === '-c' && line !== undefined ? line : argv.join(' ')
}

/** Parts that a terminal has left out because a bound was reached; all of it is counted. */
export const dropKinds = {
  replies: 'answers that its program did not read',
  stringBytes: 'bytes of strings in escape sequences',
  characters: 'marks on characters',
  links: 'links',
  repeats: 'sequences that count farther than a screen is wide',
  turns: 'verdicts that slow followers have missed',
} as const

export type DropKind = keyof typeof dropKinds

/** Counts since this daemon has had the terminal. */
export type Dropped = Record<DropKind, number>

export interface TerminalDrops {
  readonly terminalId: string
  readonly name: string | null
  readonly dropped: Readonly<Dropped>
}

export const noneDropped = (): Dropped => ({
  replies: 0,
  stringBytes: 0,
  characters: 0,
  links: 0,
  repeats: 0,
  turns: 0,
})

export const isAnyDropped = (dropped: Readonly<Dropped>): boolean => Object.values(dropped).some((count) => count > 0)
