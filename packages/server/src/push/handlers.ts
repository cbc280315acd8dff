import { invalidInput, TermError } from '@agentpty/protocol'
import type { CallContext } from '@agentpty/protocol/call'
import type { Pushes } from '@agentpty/protocol/page'
import type { EngineContext, Handlers } from '../call/index.ts'

/** Errors: `no_daemon` where there is no page. */
function pushesOf({ pushes }: EngineContext): Pushes {
  if (pushes !== null) return pushes
  throw new TermError('no_daemon', 'These terminals belong to this process: there is no page.', 'Use connect().')
}

/** Errors: `invalid_input` for an id that no browser has. */
function knownDevice({ devices }: EngineContext, deviceId: string): string {
  if (devices?.find(deviceId) != null) return deviceId
  throw invalidInput(`There is no device "${deviceId}".`, 'List the devices: agentpty devices')
}

/** Errors: `denied` for callers that are no page. */
function deviceOf({ deviceId }: CallContext): string {
  if (deviceId !== undefined) return deviceId
  throw new TermError('denied', 'Only a browser subscribes to push notifications.', 'Open the page: agentpty open')
}

export const pushHandlers = {
  pushKey: async (engine, _input, context) => {
    const pushes = pushesOf(engine)
    return { publicKey: await pushes.publicKey(), own: pushes.of(deviceOf(context)) }
  },
  subscribePush: async (engine, { subscription, wording }, context) => {
    await pushesOf(engine).subscribe({ deviceId: deviceOf(context), subscription, wording })
    return { wording }
  },
  unsubscribePush: async (engine, { deviceId }, context) => ({
    wasOn: pushesOf(engine).unsubscribe(deviceId === undefined ? deviceOf(context) : knownDevice(engine, deviceId)),
  }),
  testPush: async (engine, _input, context) => {
    await pushesOf(engine).test(deviceOf(context))
    return { isSent: true as const }
  },
} satisfies Partial<Handlers>
