/**
 * The bench's knowledge of an agent CLI that runs without an account: how to prepare a home, and the texts of its
 * screens.
 */

import type { AgentName } from '@agentpty/protocol/testing'

export interface LaunchOptions {
  /** A fresh HOME, and the folder the agent works in. */
  readonly home: string
  readonly cwd: string
  /** The address of the scripted model, without a path. */
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
  /** On the screen while the dialog is open, and only then. */
  readonly shows: RegExp
  /** Pressed in sequence, with a pause. */
  readonly answer: readonly Keys[]
}

export interface AgentClient {
  /** The name in the roster, which contains the start command. */
  readonly name: AgentName
  /** The npm package that contains it; the version is in package.json. */
  readonly package: string
  /** Writes the configuration into the home, and returns how to start the interactive program. */
  prepare(options: LaunchOptions): Launch
  /** A question of the first start, before the model is used: whether the folder is trusted. */
  readonly firstQuestion?: Dialog
  /** On the screen once the program accepts its first instruction. */
  readonly started: RegExp
  /** A tool call that must be approved under the default permissions: it creates `file` in the working folder. */
  askToTouch(file: string): ToolCall
  /** The question about that call, and the answer that allows this call only. */
  readonly permission: Dialog
  /** A tool call that asks the person something, and the dialog it opens. */
  readonly question?: Dialog & { readonly call: ToolCall }
  /** Pressed in sequence with a pause, these end a turn. */
  readonly interrupt: readonly Keys[]
  /** Empties the input box, into which an interrupt puts the prompt back. */
  readonly clearInput?: Keys
  /** Pressed in sequence with a pause, these end the idle program. */
  readonly quit: readonly Keys[]
}

/** The options offered to the person. */
export const colours = [
  { label: 'Red', description: 'warm' },
  { label: 'Blue', description: 'cold' },
] as const
