/**
 * A verb as a record: all that any face, page or check says of it is read from here.
 *
 * What a field means stands at the field, by `describe`; what models read of it, by {@link forModels}; a default that is a
 * constant is the schema's, and any other is named by {@link defaultsTo}.
 */

import type { z } from 'zod'

/** What a verb does to the world, for clients that ask before they call. */
export type Effect = 'reads' | 'changes' | 'destroys'

export interface Verb<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  readonly name: string
  /** The tool's name for agents; null for what only people and programs do. */
  readonly tool: string | null
  readonly title: string
  /** What it does and when to use it, in as few words as a model needs. */
  readonly summary: string
  readonly effect: Effect
  /** It opens a terminal where none is named. */
  readonly opensTerminal?: true
  /** How errors name it to those who know no tools. */
  readonly words: { readonly cli: string; readonly library: string }
  readonly models?: ModelWords
  readonly input: Input
  readonly output: Output
  readonly example: z.input<Input>
  /** What it answered to the example, in one run of the built product. */
  readonly answer: z.output<Output>
}

export interface ModelWords {
  /**
   * What a result is read for. That it may hold more is no secret and no news; a client that writes programs against the tools
   * learns the names from here.
   */
  readonly resultFields?: readonly string[]
  /** Found by these words where tools are not shown before they are searched for. */
  readonly searchHint?: string
  /** Hosts that show pages show the terminal beside its result. */
  readonly hasView?: true
}

export function defineVerb<Input extends z.ZodType, Output extends z.ZodType>(
  verb: Verb<Input, Output>,
): Verb<Input, Output> {
  return verb
}

/** What a model reads of a field beyond its name and type; null hides the field: it works, and a model need not read about it. */
export function forModels<Field extends z.ZodType>(field: Field, help: string | null): Field {
  return field.meta({ ...field.meta(), forModels: help })
}

/** How the documentation names a default that depends on the caller. */
export function defaultsTo<Field extends z.ZodType>(field: Field, words: string): Field {
  return field.meta({ ...field.meta(), defaultsTo: words })
}
