/** A client whose verbs are tools of an MCP server: structured content is the result, `isError` the error. */

import type { Client } from '@agentpty/protocol'
import type { CallContext } from '@agentpty/protocol/call'
import { fromWireError } from '@agentpty/protocol/testing'
import { type VerbInput, type VerbName, type VerbOutput, verbs } from '@agentpty/protocol/verbs'
import type { Client as ProtocolClient } from '@modelcontextprotocol/client'

export class McpCaller implements Pick<Client, 'call' | 'close'> {
  readonly protocol: ProtocolClient

  constructor(protocol: ProtocolClient) {
    this.protocol = protocol
  }

  async call<Name extends VerbName>(
    name: Name,
    input: VerbInput<Name>,
    context: Partial<CallContext> = {},
  ): Promise<VerbOutput<Name>> {
    const { signal } = context
    const { tool } = verbs[name]
    if (tool === null) throw new Error(`agents have no tool for ${name}`)
    const request = { name: tool, arguments: { ...input } }
    const answer = await this.protocol.callTool(request, signal === undefined ? {} : { signal })
    if (answer.isError) throw fromWireError(answer.structuredContent)
    return answer.structuredContent as VerbOutput<Name>
  }

  async close(): Promise<void> {
    await this.protocol.close()
  }
}
