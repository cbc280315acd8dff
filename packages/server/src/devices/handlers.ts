/** The verbs of browsers that open the page. */

import { callerName } from '@agentpty/protocol/call'
import type { Handlers } from '../call/index.ts'
import { devicesOf } from './devices.ts'
import { openPage } from './verbs/open-page.ts'

export const deviceHandlers = {
  devices: async (engine) => ({
    devices: [...devicesOf(engine).list()],
  }),
  openPage,
  revokeDevice: async (engine, { deviceId }, context) => ({
    revoked: [...devicesOf(engine).revoke(deviceId, callerName(context))],
  }),
} satisfies Partial<Handlers>
