import { defined, invalidInput, TermError } from '@agentpty/protocol'
import { callerName } from '@agentpty/protocol/call'
import { type Devices, forwardedOrigin, viewMsDefault } from '@agentpty/protocol/page'
import type { EngineContext, Handler, Handlers } from '../call/index.ts'

const openPage: Handler<'openPage'> = async (engine, { readOnly, onlyTerminal, forMs, withFile, forwardedAt }) => {
  const devices = devicesOf(engine)
  if (onlyTerminal !== undefined && !readOnly)
    throw invalidInput('One terminal alone can only be looked at.', 'Add readOnly.')
  const origin = forwardedAt === undefined ? null : forwardedOrigin(forwardedAt)
  if (forwardedAt !== undefined && origin === null)
    throw invalidInput(
      `No browser can sign in at ${forwardedAt}.`,
      'Forward the page to a port of the browser’s own machine, or open the editor over HTTPS.',
    )
  const seen = onlyTerminal === undefined ? null : engine.host.find(onlyTerminal).info.id
  const { url, file, expiresAt } = devices.invite({
    access: readOnly ? { kind: 'view', terminalId: seen } : { kind: 'all' },
    forMs: forMs ?? (readOnly ? viewMsDefault : null),
    withFile,
    origin,
  })
  return defined({ url, file: file ?? undefined, expiresAt })
}

/** Errors: `no_daemon` where there is no page. */
function devicesOf({ devices }: EngineContext): Devices {
  if (devices !== null) return devices
  throw new TermError('no_daemon', 'These terminals belong to this process: there is no page.', 'Use connect().')
}

export const deviceHandlers = {
  devices: async (engine) => ({
    devices: devicesOf(engine)
      .list()
      .map((one) => ({ ...one, ...defined({ push: engine.pushes?.of(one.deviceId)?.wording }) })),
  }),
  openPage,
  revokeDevice: async (engine, { deviceId }, context) => ({
    revoked: [...devicesOf(engine).revoke(deviceId, callerName(context))],
  }),
} satisfies Partial<Handlers>
