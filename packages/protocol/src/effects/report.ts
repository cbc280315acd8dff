/** The report of `agentpty effects report`: what a person would have been asked. */

import type { EffectVerb } from './gate.ts'

/** Questions of one program about one area, of all terminals. */
export interface EffectRow {
  readonly program: string
  readonly verb: EffectVerb
  readonly area: string
  /** How many questions a person would have got. */
  readonly questions: number
  /** How many calls they were about. */
  readonly calls: number
  readonly terminals: readonly string[]
  /** One of the commands. */
  readonly command: string
  /** When the last of them was asked, in milliseconds since 1970. */
  readonly lastAt: number
}

export interface EffectsReport {
  readonly rows: readonly EffectRow[]
  readonly questions: number
  readonly terminals: number
  /** Calls that the gate could not judge, by reason. */
  readonly blind: Readonly<Record<string, number>>
}
