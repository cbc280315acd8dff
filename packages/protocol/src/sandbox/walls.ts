/** Puts sandboxes around programs, for the modules that start them. */

import type { CallContext } from '../call/call-context.ts'
import type { Sandbox, SandboxInForce } from './sandbox.ts'

export interface SandboxPlace {
  /** Where the program starts; absolute. */
  readonly cwd: string
  readonly context: CallContext
  /** The sandbox of the terminal that the caller runs in; null without. */
  readonly inherited: SandboxInForce | null
}

export interface StartToEnclose {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  readonly sandbox: SandboxInForce
}

export interface EnclosedStart {
  readonly argv: readonly string[]
  /** Environment of the program inside. */
  readonly env: Readonly<Record<string, string>>
  readonly sandbox: SandboxInForce
  /** The program was not started: nothing of it is kept. */
  readonly abandon: () => void
}

export interface Walls {
  /**
   * Returns the sandbox for a terminal that is requested with `asked`. Its caller, the configuration, and the
   * repository it is in may restrict it; null: no walls. Errors: `denied` when the request is looser than allowed.
   */
  settle(asked: Sandbox | undefined, place: SandboxPlace): SandboxInForce | null
  /** How the program is started behind them. Errors: `sandbox_unavailable`. */
  enclose(start: StartToEnclose): Promise<EnclosedStart>
  /** Why a start behind walls failed, when it was the walls. */
  explainFailure(): Promise<string | null>
}
