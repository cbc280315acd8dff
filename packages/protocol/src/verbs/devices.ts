import * as z from 'zod'
import { Device, exampleDevice } from '../page/device.ts'
import { defineVerb } from './verb.ts'

/** For persons. */
export const devices = defineVerb({
  name: 'devices',
  tool: null,
  title: 'List devices',
  summary: 'The browsers that have signed in to the page.',
  effect: 'reads',
  touches: 'nobody',
  safety: { types: null, starts: null, yields: null, callers: 'person' },
  journal: null,
  words: { cli: 'agentpty devices', library: 'client.call("devices")' },
  input: z.strictObject({}),
  output: z.object({ devices: z.array(Device).describe('The newest last.') }),
  example: {},
  answer: { devices: [exampleDevice] },
})
