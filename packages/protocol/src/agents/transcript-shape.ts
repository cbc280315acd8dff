/**
 * How the transcripts of a program look: where they lie, and which of their fields say what was answered and used. Data, never code; one
 * reader understands all of them.
 */

/** Names of fields, from outside in, with a `.` between them. */
export type FieldPath = string

/** What a record says, where it is of this kind. */
export interface RecordRule {
  /** Its fields have these values; null: there is none. */
  readonly where: Readonly<Record<FieldPath, string | boolean | null>>
  /** What the model has said: a text, or a list of parts of which some are texts. */
  readonly text?: FieldPath
  readonly model?: FieldPath
  readonly used?: UsedFields
}

export interface UsedFields extends AmountFields {
  /** `each`: what one request has used. `total`: what all have so far. */
  readonly counts: 'each' | 'total'
  /** Records with the same value here are of one request, and the last of them counts. */
  readonly key?: FieldPath
  /** Of a total, what the newest request has added: the first total of a fork has what was used before it. */
  readonly newest?: AmountFields
  /** It says a cost of 0 also where it knows no price. */
  readonly zeroCostIsNone?: boolean
}

/** Fields of which the numbers are added up. */
export interface AmountFields {
  /** With what was read from a cache. */
  readonly input?: readonly FieldPath[]
  readonly output?: readonly FieldPath[]
  readonly cached?: readonly FieldPath[]
  /** In US dollars, as the program itself says. */
  readonly cost?: readonly FieldPath[]
}

interface ShapeOfAll {
  /** The folder that all of it is below: in that of the variable, where it is set, else in the user’s home. */
  readonly folder: { readonly variable: string; readonly below: string; readonly otherwise: string }
  /** When a record was made: a date as text, or milliseconds since 1970. */
  readonly at: FieldPath
  readonly rules: readonly RecordRule[]
}

/** Files with a JSON object in each line, which only grow. */
export interface LinesShape extends ShapeOfAll {
  readonly kind: 'lines'
  /**
   * `{id}` stands for the conversation, `{short}` for its first eight characters, `*` for any name, `**` for any folders.
   */
  readonly file: string
  /** Below the folder of that, those of its helpers, whose answers are not its own; null where they have none. */
  readonly helpers: string | null
  /** A line with none of these says nothing. */
  readonly marks: readonly string[]
  /** Lists of records inside a record. */
  readonly lists: readonly FieldPath[]
}

/** A database of SQLite: a table of conversations, one of messages, and one of their parts. The data of the last two are JSON. */
export interface DatabaseShape extends ShapeOfAll {
  readonly kind: 'database'
  readonly file: string
  readonly conversations: {
    readonly table: string
    readonly id: string
    readonly cwd: string
    readonly begunAt: string
    /** Not null where a conversation is that of a helper. */
    readonly parent: string
  }
  /** An index goes by the conversation, respectively the message, and by time within it. */
  readonly messages: { readonly table: string; readonly index: string; readonly id: string; readonly data: string }
  /** A message gets its parts as the field `parts`. */
  readonly parts: { readonly table: string; readonly index: string; readonly data: string }
}

export type TranscriptShape = LinesShape | DatabaseShape
