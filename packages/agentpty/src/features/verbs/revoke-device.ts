import { callerName } from '../../contracts/call/caller-name.ts'
import type { Handler } from './steps/handler.ts'
import { devicesForPerson } from './steps/person-only.ts'

export const revokeDevice: Handler<'revokeDevice'> = async (engine, { deviceId }, context) => ({
  revoked: [...devicesForPerson(engine, context).revoke(deviceId, callerName(context))],
})
