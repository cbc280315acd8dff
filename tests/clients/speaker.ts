/** The interface of a program that speaks the protocol, for the short turn of every client. */

import type { AgentHome } from './agent-home.ts'

export interface ToolResult {
  readonly content: readonly { readonly type: string; readonly text?: string }[]
  readonly structuredContent?: Readonly<Record<string, unknown>>
  readonly isError?: boolean
}

export interface Speaker {
  tools(): Promise<readonly { readonly name: string }[]>
  call(tool: string, args: Readonly<Record<string, unknown>>): Promise<ToolResult>
  resources(): Promise<readonly { readonly uri: string }[]>
  read(uri: string): Promise<string>
  close(): Promise<void>
}

export type Transport = 'stdio' | 'HTTP'

export interface Program {
  readonly name: string
  readonly version: string
  /** The protocol's version. */
  readonly era: string
  readonly ways: Readonly<Partial<Record<Transport, (home: AgentHome) => Promise<Speaker>>>>
}

type Ask = (method: string, params?: Readonly<Record<string, unknown>>) => Promise<unknown>

/** Sends requests by method, for programs with no more than these. */
export function speakerOf(request: Ask, close: () => Promise<void>): Speaker {
  const ask = async <Answer>(...asked: Parameters<Ask>) => (await request(...asked)) as Answer
  return {
    tools: async () => (await ask<{ tools: { name: string }[] }>('tools/list')).tools,
    call: (name, args) => ask<ToolResult>('tools/call', { name, arguments: args }),
    resources: async () => (await ask<{ resources: { uri: string }[] }>('resources/list')).resources,
    read: async (uri) => {
      const { contents } = await ask<{ contents: { text: string }[] }>('resources/read', { uri })
      return contents[0]?.text ?? ''
    },
    close,
  }
}
