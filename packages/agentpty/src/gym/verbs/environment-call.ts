/** How an environment reaches its terminals on behalf of a caller. */

import type { CallContext } from '../../contracts/call/call-context.ts'
import type { EnvironmentCall } from '../../contracts/gym/environments.ts'
import type { ServerClient } from '../../contracts/server-client.ts'
import type { EngineContext } from '../../server/call/index.ts'

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
