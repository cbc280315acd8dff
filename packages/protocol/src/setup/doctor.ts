/** What `agentpty doctor` finds on a machine. */

export const findingMarks = ['ok', 'hint', 'warn', 'wrong'] as const

/** `hint`: something a person might want. `warn`: it works, but not as it should. `wrong`: it does not work. */
export type FindingMark = (typeof findingMarks)[number]

export interface Finding {
  /** The subject: this machine, the daemon, or the clients that are here. */
  readonly group: 'machine' | 'daemon' | 'clients'
  readonly name: string
  readonly mark: FindingMark
  /** One line. */
  readonly found: string
  /** What to do next; empty when nothing. */
  readonly advice: string
}

export interface DoctorOptions {
  /** How long a client's server may take to answer, in milliseconds. */
  readonly answerMs: number
}

/** Each finding comes as soon as it is known. */
export type Doctor = (options: DoctorOptions) => AsyncIterable<Finding>
