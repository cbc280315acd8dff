import * as z from 'zod'
import { PushSubscription, PushWordingField } from '../page/push.ts'
import { defineVerb } from './verb.ts'

const safety = { types: null, starts: null, yields: null, callers: 'person' } as const

/** For the page of a person. */
export const pushKey = defineVerb({
  name: 'pushKey',
  title: 'Show push key',
  summary: 'The key with which a browser subscribes to push notifications of this server, and what this device gets.',
  effect: 'reads',
  touches: 'unscoped',
  safety,
  journal: null,
  words: { cli: 'agentpty devices', library: 'client.call("pushKey")' },
  input: z.strictObject({}),
  output: z.object({
    publicKey: z.string().describe('A point of P-256, uncompressed, in base64url.'),
    own: z
      .object({ wording: PushWordingField, endpoint: z.string() })
      .nullable()
      .describe('The subscription of the calling device; null without one.'),
  }),
  example: {},
})

/** For the page of a person: only a signed-in device subscribes, and only itself. */
export const subscribePush = defineVerb({
  name: 'subscribePush',
  title: 'Turn push notifications on',
  summary: 'Send push notifications to the calling device from now on. An earlier subscription of it is replaced.',
  effect: 'changes',
  touches: 'unscoped',
  safety,
  journal: ({ wording }) => wording,
  words: { cli: 'agentpty open', library: 'client.call("subscribePush")' },
  input: z.strictObject({ subscription: PushSubscription, wording: PushWordingField.default('brief') }),
  output: z.object({ wording: PushWordingField }),
  example: {
    subscription: {
      endpoint: 'https://push.example.com/send/1',
      keys: {
        p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        auth: 'BTBZMqHH6r4Tts7J_aSIgg',
      },
    },
  },
})

/** For persons. */
export const unsubscribePush = defineVerb({
  name: 'unsubscribePush',
  title: 'Turn push notifications off',
  summary: 'Send no more push notifications to a device.',
  effect: 'changes',
  touches: 'unscoped',
  safety,
  journal: ({ deviceId }) => deviceId ?? null,
  words: { cli: 'agentpty devices mute', library: 'client.call("unsubscribePush")' },
  input: z.strictObject({
    deviceId: z.string().min(1).max(40).optional().describe('Of `devices`; by default the calling device.'),
  }),
  output: z.object({ wasOn: z.boolean().describe('The device got push notifications until now.') }),
  example: { deviceId: 'dev-8f2k1c' },
})

/** For the page of a person. */
export const testPush = defineVerb({
  name: 'testPush',
  title: 'Send a test notification',
  summary: 'Send a push notification to the calling device now, and wait until its push service has it.',
  effect: 'changes',
  touches: 'unscoped',
  safety,
  journal: null,
  words: { cli: 'agentpty open', library: 'client.call("testPush")' },
  input: z.strictObject({}),
  output: z.object({ isSent: z.literal(true) }),
  example: {},
})
