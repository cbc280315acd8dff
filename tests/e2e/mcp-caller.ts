/** A client whose verbs are tools of an MCP server: structured content is the result, `isError` the error. */

import type { Client as ProtocolClient } from '@modelcontextprotocol/client'
import type { CallContext } from '../../packages/agentpty/src/contracts/call/operation.ts'
import {
  type OperationInput,
  type OperationName,
  type OperationOutput,
  operations,
} from '../../packages/agentpty/src/contracts/call/operations.ts'
import type { Client } from '../../packages/agentpty/src/contracts/client.ts'
import { fromWireError } from '../../packages/agentpty/src/faces/wire/messages.ts'

export class McpCaller implements Pick<Client, 'call' | 'close'> {
  readonly protocol: ProtocolClient

  constructor(protocol: ProtocolClient) {
    this.protocol = protocol
  }

  async call<Name extends OperationName>(
    name: Name,
    input: OperationInput<Name>,
    context: Partial<CallContext> = {},
  ): Promise<OperationOutput<Name>> {
    const { signal } = context
    const { tool } = operations[name]
    if (tool === null) throw new Error(`agents have no tool for ${name}`)
    const request = { name: tool, arguments: { ...input } }
    const answer = await this.protocol.callTool(request, signal === undefined ? {} : { signal })
    if (answer.isError) throw fromWireError(answer.structuredContent)
    return answer.structuredContent as OperationOutput<Name>
  }

  async close(): Promise<void> {
    await this.protocol.close()
  }
}
