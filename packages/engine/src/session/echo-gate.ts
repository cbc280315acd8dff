/**
 * Whether what is typed next will be shown as it is typed, as far as that is known: for those who show it before the terminal does. It is
 * known by the kernel (the terminal edits lines and echoes them) or by a shell's own mark of its prompt. After a control character, Enter
 * above all, it is known no more until the program has read it and waits again; so nothing that is typed ahead of a question for a
 * password is ever taken for what will be shown.
 */

import type { Facts } from '@agentpty/protocol'
import type { EchoState, Verdict } from '@agentpty/protocol/session'

type EchoFacts = Pick<Facts, 'canonical' | 'echo'>

export interface EchoMoment {
  readonly verdict: Verdict
  /** Null while there are none from after the last input. */
  readonly facts: EchoFacts | null
  readonly alternateScreen: boolean
  /** By the shell's marks. */
  readonly atPrompt: boolean
}

export class EchoGate {
  #state: EchoState = { echoes: false, controls: 0 }

  /** The same object until it changes. */
  get state(): EchoState {
    return this.#state
  }

  typed(bytes: Uint8Array): void {
    const controls = bytes.filter((byte) => byte < 0x20).length
    if (controls > 0) this.#state = { echoes: false, controls: this.#state.controls + controls }
  }

  look(moment: EchoMoment): void {
    const { echoes, controls } = this.#state
    const now = echoes ? staysOpen(moment) : opens(moment)
    if (now !== echoes) this.#state = { echoes: now, controls }
  }
}

/** Only what was seen after the last input counts. */
function opens({ verdict, facts, alternateScreen, atPrompt }: EchoMoment): boolean {
  if (alternateScreen || verdict.state !== 'ready' || verdict.kind === 'password' || facts === null) return false
  return echoesLines(facts) || (atPrompt && verdict.kind === 'shell')
}

/** Letters of the line leave it as it is. */
function staysOpen({ verdict, facts, alternateScreen, atPrompt }: EchoMoment): boolean {
  if (alternateScreen || verdict.kind === 'password' || verdict.state === 'exited') return false
  if (facts?.canonical) return facts.echo
  return facts === null || atPrompt
}

const echoesLines = ({ canonical, echo }: EchoFacts): boolean => canonical && echo
