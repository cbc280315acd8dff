import * as z from 'zod'
import { Approval, Grant, GrantChoice, HoldingGrant } from '../approvals/approval.ts'
import { TerminalId } from '../call/terminal-fields.ts'
import { Device, ListedDevice } from '../page/device.ts'
import { forwardedAddressCharactersMax, viewMsDefault, viewMsMax } from '../page/page-messages.ts'
import { defaultsTo, defineVerb } from './verb.ts'

/** For persons: an agent learns about its own approvals from the call that asked. */
export const approvals = defineVerb({
  name: 'approvals',
  title: 'List approvals',
  summary: 'What agents want to do and a person must allow first: what is open, and what was answered lately.',
  effect: 'reads',
  touches: 'own',
  safety: { types: null, starts: null, yields: null, callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty approvals', library: 'client.call("approvals")' },
  input: z.strictObject({
    all: z.boolean().default(false).describe('Those that are answered, expired or withdrawn as well.'),
    waitTimeoutMs: z
      .number()
      .int()
      .min(0)
      .max(60_000)
      .default(0)
      .describe('Wait this long for the next change. Calls that need an approval then wait for the answer too.'),
  }),
  output: z.object({
    approvals: z.array(Approval).describe('The newest last.'),
    grants: z.array(HoldingGrant).describe('What was allowed beyond once and still holds.'),
  }),
  example: {},
})

export const decide = defineVerb({
  name: 'decide',
  title: 'Answer approval',
  summary: 'Allow or deny what an agent wants to do. The first answer counts; what is not open any more is refused.',
  effect: 'changes',
  touches: 'unscoped',
  safety: { types: null, starts: null, yields: null, callers: 'outside' },
  journal: ({ approvalId, answer }) => `${approvalId} ${answer}`,
  words: { cli: 'agentpty approvals answer', library: 'client.call("decide")' },
  input: z.strictObject({
    approvalId: z.string().min(1).max(40).describe('Of `approvals`.'),
    answer: z.enum(['allow', 'deny']).describe('`allow` counts once, for the very same call.'),
    grant: GrantChoice.optional().describe('Allowed beyond this once, as `offer` says: what, where and how long.'),
    endJob: z.boolean().default(false).describe('With `deny`: also end the job whose call a gate holds.'),
  }),
  output: z.object({ approval: Approval }),
  example: { approvalId: 'ap-3', answer: 'allow' },
})

export const revoke = defineVerb({
  name: 'revoke',
  title: 'Revoke a grant',
  summary: 'End what was allowed beyond once: the next call like it is asked about again.',
  effect: 'changes',
  touches: 'unscoped',
  safety: { types: null, starts: null, yields: null, callers: 'outside' },
  journal: ({ grantId }) => grantId,
  words: { cli: 'agentpty approvals revoke', library: 'client.call("revoke")' },
  input: z.strictObject({ grantId: z.string().min(1).max(40).describe('Of `approvals`.') }),
  output: z.object({ grant: Grant }),
  example: { grantId: 'gr-1' },
})

/** For persons. */
export const devices = defineVerb({
  name: 'devices',
  title: 'List devices',
  summary: 'The browsers that have signed in to the page.',
  effect: 'reads',
  touches: 'unscoped',
  safety: { types: null, starts: null, yields: null, callers: 'person' },
  journal: null,
  words: { cli: 'agentpty devices', library: 'client.call("devices")' },
  input: z.strictObject({}),
  output: z.object({ devices: z.array(ListedDevice).describe('The newest last.') }),
  example: {},
})

/** For persons. */
export const revokeDevice = defineVerb({
  name: 'revokeDevice',
  title: 'Revoke device',
  summary: 'Sign a browser out, or all of them: their pages close at once.',
  effect: 'changes',
  touches: 'unscoped',
  safety: { types: null, starts: null, yields: null, callers: 'person' },
  journal: ({ deviceId }) => deviceId,
  words: { cli: 'agentpty devices revoke', library: 'client.call("revokeDevice")' },
  input: z.strictObject({ deviceId: z.string().min(1).max(40).describe('Of `devices`; `"all"`: every one.') }),
  output: z.object({ revoked: z.array(Device).describe('Those that were signed out.') }),
  example: { deviceId: 'dev-8f2k1c' },
})

/** For persons: an agent could let itself in as one. */
export const openPage = defineVerb({
  name: 'openPage',
  title: 'Open page',
  summary: 'An address that signs one browser in to the page, once and for a minute.',
  effect: 'changes',
  touches: 'unscoped',
  safety: { types: null, starts: null, yields: null, callers: 'person' },
  journal: ({ readOnly }) => (readOnly ? 'read-only' : null),
  words: { cli: 'agentpty open', library: 'client.call("openPage")' },
  input: z.strictObject({
    readOnly: z.boolean().default(false).describe('The browser may look, and change nothing.'),
    onlyTerminal: TerminalId.optional().describe('With `readOnly`: it sees this terminal and no other.'),
    forMs: defaultsTo(
      z.number().int().min(1_000).max(viewMsMax).optional().describe('How long it may, in milliseconds.'),
      `with \`readOnly\` ${viewMsDefault}, else until it is revoked`,
    ),
    forwardedAt: z
      .string()
      .max(forwardedAddressCharactersMax)
      .optional()
      .describe(
        'The address under which an editor forwards the page to its browser; the page accepts it for this browser.',
      ),
    withFile: z
      .boolean()
      .default(false)
      .describe('Also write a file that leads a browser there, for one that is started by a command.'),
  }),
  output: z.object({
    url: z.string().describe('The address with the code behind its `#`.'),
    file: z.string().optional().describe('The file; it is removed once the code is used or has expired.'),
    expiresAt: z.number().describe('When the code is worth nothing any more, in milliseconds since 1970.'),
  }),
  example: {},
})
