/** The types of the scripted model: every dialect is parsed into a `ModelRequest`, and writes every `Reply`. */

/** The entries of a conversation, in order. */
export interface Entry {
  readonly kind: 'user' | 'assistant' | 'system' | 'call' | 'result'
  readonly text: string
  /** The id of a call, and of its result. */
  readonly id?: string
  /** Text next to a tool's result is rarely a prompt. */
  readonly beside?: boolean
}

/** A tool by the client's own name. */
export interface Wire {
  readonly name: string
  readonly namespace?: string
  /** Codex has tools that take plain text, and one that finds other tools. */
  readonly form?: 'custom' | 'search'
}

export interface OfferedTool {
  readonly name: string
  readonly wire: Wire
}

export interface ModelRequest {
  readonly model: string
  readonly stream: boolean
  readonly tools: readonly OfferedTool[]
  readonly entries: readonly Entry[]
  /** The JSON schema that the answer must satisfy, if the request has one. */
  readonly schema: unknown
}

export interface Call {
  readonly id: string
  readonly wire: Wire
  readonly args: unknown
}

export interface Reply {
  readonly thinking: string
  readonly text: string
  readonly calls: readonly Call[]
  /** Characters in one piece of the stream; 0 sends each text as a whole. */
  readonly chunkSize: number
  readonly usage: { readonly input: number; readonly output: number }
}

export interface ApiError {
  readonly status?: number
  readonly type?: string
  readonly code?: string
  readonly message?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface StreamEvent {
  /** Null if the dialect names no events. */
  readonly event: string | null
  readonly data: unknown
}

/** Pauses between two pieces of a stream. */
export type Pace = () => Promise<void>

export interface Dialect {
  /** `inPath` is the information in the address, for dialects that put the model and the streaming there. */
  read(body: unknown, inPath: InPath): ModelRequest
  stream(reply: Reply, request: ModelRequest, pace: Pace): AsyncGenerator<StreamEvent>
  whole(reply: Reply, request: ModelRequest): unknown
  error(error: ApiError): unknown
}

export interface InPath {
  readonly model: string
  readonly stream: boolean
}

export type DialectName = 'anthropic' | 'responses' | 'chat' | 'gemini'
