/** How an environment reaches its terminals on behalf of a caller. */

import type { ServerClient } from '@agentpty/protocol'
import type { CallContext } from '@agentpty/protocol/call'
import type { EnvironmentCall } from '@agentpty/protocol/gym'
import type { EngineContext } from '@agentpty/server/call'

export function environmentCall(
  { host }: Pick<EngineContext, 'host'>,
  context: CallContext,
  call: ServerClient['call'],
): EnvironmentCall {
  return {
    call,
    context,
    isFullScreen: (terminalId) => host.known(terminalId)?.modes.alternateScreen === true,
    endOf: (terminalId) => host.known(terminalId)?.parsedTo ?? 0,
  }
}
