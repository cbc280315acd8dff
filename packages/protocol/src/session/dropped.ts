/** What a terminal has left out because a bound was reached; all of it is counted. */

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
