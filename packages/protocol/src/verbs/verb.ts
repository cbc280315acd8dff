/**
 * A verb as a record: every face, page and check reads what it says of a verb from here.
 *
 * The meaning of a field is at the field, by `describe`; what models read of it, by {@link forModels}; a default that
 * is a constant is in the schema, and any other is named by {@link defaultsTo}.
 */

import type * as z from 'zod'

/** The effect of a verb, for clients that ask a person before they call. */
export type Effect = 'reads' | 'changes' | 'destroys'

/**
 * The terminals that a call touches, for callers that see only some. Fields: the terminals in these fields; without
 * any it opens its own. `own`: its handler shows and takes only terminals that the caller sees. `unscoped`: a caller
 * with a scope may not call it.
 */
export type Touches = readonly ('terminalId' | 'terminalIds')[] | 'own' | 'unscoped'

/** The facts of a verb that the policy, the lease, the scope and the journal rely on. They keep no lists of their own. */
export interface Safety {
  /** Its handler writes to a keyboard: that of the terminal that the field names, or whose question it names. */
  readonly types: 'terminalId' | 'questionId' | null
  /** It starts programs: its own handler does, the calls of other verbs that it makes, or a container of the gym. */
  readonly starts: 'itself' | 'by calls' | 'environment' | null
  /** An agent's call is refused or waits while a person has the terminal; `line`: also while a person is in the middle of a line. */
  readonly yields: 'line' | 'lease' | null
  readonly callers: Callers
}

/**
 * The callers of a verb, each with those after it. `viewer`: links that only show terminals. `agent`: every client. `outside`: no program inside a
 * terminal of agentpty. `person`: a person at a terminal or a page of their own.
 */
export type Callers = 'viewer' | 'agent' | 'outside' | 'person'

interface DefinedVerb<Input extends z.ZodType, Output extends z.ZodType, Facts extends Safety> {
  readonly name: string
  /** The tool's name for agents; none for what only people and programs do. */
  readonly tool?: string
  readonly title: string
  /** Its purpose and when to use it, in as few words as a model needs. */
  readonly summary: string
  readonly effect: Effect
  readonly touches: Touches
  /** It opens a terminal when none is named. */
  readonly opensTerminal?: true
  readonly safety: Facts
  /** The journal's words for a call that no rule judges, without what persons type, answer or write. Null: none. */
  readonly journal: JournalWords<z.output<Input>>['of'] | null
  /** Its name in errors, for callers that know no tools. */
  readonly words: { readonly cli: string; readonly library: string }
  readonly models?: ModelWords
  readonly input: Input
  readonly output: Output
  readonly example: z.input<Input>
  /** Its result for the example, in one run of the built product: the page of tools shows it. */
  readonly answer?: z.output<Output>
}

export interface Verb<
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
  Facts extends Safety = Safety,
> extends Omit<DefinedVerb<Input, Output, Facts>, 'tool'> {
  /** Null for what only people and programs do. */
  readonly tool: string | null
}

/** A method, so that verbs of any input fit one table. */
interface JournalWords<Input> {
  of(input: Input): string | null
}

export interface ModelWords {
  /** The fields for which a result is read; it may hold more. Clients that write programs against the tools learn the names from here. */
  readonly resultFields?: readonly string[]
  /** Words to find it by, in clients that show tools only after a search. */
  readonly searchHint?: string
  /** Hosts that show pages show the terminal beside its result. */
  readonly hasView?: true
}

export function defineVerb<Input extends z.ZodType, Output extends z.ZodType, const Facts extends Safety>(
  verb: DefinedVerb<Input, Output, Facts>,
): Verb<Input, Output, Facts> {
  return { tool: null, ...verb }
}

/** Sets the text for models about a field beyond its name and type; null hides the field, which works all the same. */
export function forModels<Field extends z.ZodType>(field: Field, help: string | null): Field {
  return field.meta({ ...field.meta(), forModels: help })
}

/** Sets the example that an error shows when this field is wrong, in place of the verb's own example. */
export function withExample<Field extends z.ZodType>(field: Field, example: z.input<Field>): Field {
  return field.meta({ ...field.meta(), example })
}

/** How the documentation names a default that depends on the caller. */
export function defaultsTo<Field extends z.ZodType>(field: Field, words: string): Field {
  return field.meta({ ...field.meta(), defaultsTo: words })
}
