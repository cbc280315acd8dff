/** The page's side of MCP Apps (`io.modelcontextprotocol/ui`, 2026-01-26): JSON-RPC with the window that shows it. */

export type Json = Readonly<Record<string, unknown>>

type Handler = (params: Json) => void

interface Waiting {
  readonly resolve: (result: Json) => void
  readonly reject: (error: Error) => void
}

const appsRevision = '2026-01-26'

export class Host {
  readonly #window: Window
  readonly #waiting = new Map<number, Waiting>()
  readonly #handlers = new Map<string, Handler>()
  #lastId = 0

  /** `window` shows us; what others say is not heard. */
  constructor(window: Window) {
    this.#window = window
    addEventListener('message', ({ source, data }) => {
      if (source === window && isObject(data) && data['jsonrpc'] === '2.0') this.#receive(data)
    })
  }

  /** Handles a notification or a request of the host. The response to a request is empty. */
  on(method: string, handler: Handler): void {
    this.#handlers.set(method, handler)
  }

  /** Resolves with what the host can do and how it looks. */
  async open(): Promise<Json> {
    const answer = await this.request('ui/initialize', {
      protocolVersion: appsRevision,
      appInfo: { name: 'agentpty terminal', version: '1' },
      appCapabilities: {},
    })
    this.notify('ui/notifications/initialized', {})
    return answer
  }

  /** Errors: what the tool says of a failed call. */
  async call(tool: string, input: Json): Promise<Json> {
    const { structuredContent, isError } = await this.request('tools/call', { name: tool, arguments: input })
    const content = isObject(structuredContent) ? structuredContent : {}
    if (isError === true) throw new Error(String(content['message'] ?? `${tool} failed`))
    return content
  }

  request(method: string, params: Json): Promise<Json> {
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#post({ id, method, params })
    })
  }

  notify(method: string, params: Json): void {
    this.#post({ method, params })
  }

  #post(message: Json): void {
    this.#window.postMessage({ jsonrpc: '2.0', ...message }, '*')
  }

  #receive({ id, method, params, result, error }: Json): void {
    if (typeof method === 'string') {
      this.#handlers.get(method)?.(isObject(params) ? params : {})
      if (id !== undefined) this.#post({ id, result: {} })
      return
    }
    const waiting = this.#waiting.get(Number(id))
    this.#waiting.delete(Number(id))
    if (isObject(error)) waiting?.reject(new Error(String(error['message'])))
    else waiting?.resolve(isObject(result) ? result : {})
  }
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
