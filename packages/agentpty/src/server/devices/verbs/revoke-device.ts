import { callerName } from '../../../contracts/call/caller-name.ts'
import type { Handler } from '../../call/handler.ts'
import { devicesOf } from '../devices.ts'

export const revokeDevice: Handler<'revokeDevice'> = async (engine, { deviceId }, context) => ({
  revoked: [...devicesOf(engine).revoke(deviceId, callerName(context))],
})
