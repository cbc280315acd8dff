/**
 * What the bench must know of an agent CLI to run it without an account: how to prepare a home, and what its screens
 * say.
 */

import type { AgentName } from '@agentpty/protocol/testing'

export interface LaunchOptions {
  /** A fresh HOME, and the folder the agent works in. */
  readonly home: string
  readonly cwd: string
  /** Where the scripted model listens, without a path. */
  readonly modelUrl: string
  /** The client's program, installed. */
  readonly program: string
}

export interface Launch {
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

export interface ToolCall {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
}

export type Keys = readonly string[]

export interface Dialog {
  /** On the screen as long as the dialog is open, and only then. */
  readonly shows: RegExp
  /** Pressed one after the other, with a pause. */
  readonly answer: readonly Keys[]
}

export interface AgentClient {
  /** As in the roster, which says by which command it is started. */
  readonly name: AgentName
  /** The npm package that has it; the version stands in package.json. */
  readonly package: string
  /** Writes the configuration into the home, and says how to start the interactive program. */
  prepare(options: LaunchOptions): Launch
  /** A question of the first start, before there is any model: whether the folder is trusted. */
  readonly firstQuestion?: Dialog
  /** On the screen once the program can take its first instruction. */
  readonly started: RegExp
  /** A tool call that must be approved under the default permissions: it creates `file` in the working folder. */
  askToTouch(file: string): ToolCall
  /** The question about that call, and yes for this one call only. */
  readonly permission: Dialog
  /** A tool call that asks the person something, and the dialog it opens. */
  readonly question?: Dialog & { readonly call: ToolCall }
  /** Pressed one after the other, with a pause, these end a turn. */
  readonly interrupt: readonly Keys[]
  /** Empties the input box, where an interrupt puts the prompt back into it. */
  readonly clearInput?: Keys
  /** Pressed one after the other, with a pause, these end the idle program. */
  readonly quit: readonly Keys[]
}

/** What the person is asked to choose from. */
export const colours = [
  { label: 'Red', description: 'warm' },
  { label: 'Blue', description: 'cold' },
] as const
