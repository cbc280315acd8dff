import * as z from 'zod'
import { Device, exampleDevice } from '../page/device.ts'
import { defineVerb } from './verb.ts'

/** For persons. */
export const revokeDevice = defineVerb({
  name: 'revokeDevice',
  tool: null,
  title: 'Revoke device',
  summary: 'Sign a browser out, or all of them: their pages close at once.',
  effect: 'changes',
  touches: 'nobody',
  safety: { types: null, starts: null, yields: null, callers: 'person' },
  journal: ({ deviceId }) => deviceId,
  words: { cli: 'agentpty devices revoke', library: 'client.call("revokeDevice")' },
  input: z.strictObject({ deviceId: z.string().min(1).max(40).describe('Of `devices`; `"all"`: every one.') }),
  output: z.object({ revoked: z.array(Device).describe('Those that were signed out.') }),
  example: { deviceId: 'dev-8f2k1c' },
  answer: { revoked: [exampleDevice] },
})
