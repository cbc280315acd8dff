import type { CallContext } from './call/call-context.ts'
import type { Client } from './client.ts'
import type { VerbInput, VerbName, VerbOutput } from './verbs/verbs.ts'

/** A client in the process of its server. Its calls may be made on behalf of another caller, and may set the options of server code. */
export interface ServerClient extends Client {
  /** Other clients would drop these options without a word. */
  readonly isInServer: true
  call<Name extends VerbName>(
    name: Name,
    input: VerbInput<Name>,
    context?: Partial<CallContext>,
  ): Promise<VerbOutput<Name>>
}

export function isInServer(client: Client): client is ServerClient {
  return 'isInServer' in client
}
