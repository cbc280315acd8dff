import { defined, TermError } from '@agentpty/protocol'
import { viewMsDefault } from '@agentpty/protocol/page'
import type { Handler } from '../../call/index.ts'
import { devicesOf } from '../devices.ts'

export const openPage: Handler<'openPage'> = async (engine, { readOnly, onlyTerminal, forMs, withFile }) => {
  const devices = devicesOf(engine)
  if (onlyTerminal !== undefined && !readOnly)
    throw new TermError('invalid_input', 'One terminal alone can only be looked at.', 'Add readOnly.')
  const seen = onlyTerminal === undefined ? null : engine.host.find(onlyTerminal).info.id
  const { url, file, expiresAt } = devices.invite({
    access: readOnly ? { kind: 'view', terminalId: seen } : { kind: 'all' },
    forMs: forMs ?? (readOnly ? viewMsDefault : null),
    withFile,
  })
  return defined({ url, file: file ?? undefined, expiresAt })
}
