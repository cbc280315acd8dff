import { callerName } from '../../contracts/call/caller-name.ts'
import { devicesOf } from './steps/devices.ts'
import type { Handler } from './steps/handler.ts'

export const revokeDevice: Handler<'revokeDevice'> = async (engine, { deviceId }, context) => ({
  revoked: [...devicesOf(engine).revoke(deviceId, callerName(context))],
})
