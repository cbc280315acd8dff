import * as z from 'zod'
import { needIdCharactersMax } from '../needs/need-limits.ts'
import { defineVerb } from './verb.ts'

export const dismiss = defineVerb({
  name: 'dismiss',
  tool: null,
  title: 'Dismiss need',
  summary:
    'Take a failure, or an agent’s wish for a person, off the list of what needs a person. Everything else is answered.',
  effect: 'changes',
  touches: 'own',
  safety: { types: null, starts: null, yields: null, callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty needs dismiss', library: 'client.call("dismiss")' },
  input: z.strictObject({ needId: z.string().min(1).max(needIdCharactersMax).describe('Of `needs`.') }),
  output: z.object({ dismissed: z.literal(true).describe('Always `true`; what is not on the list is an error.') }),
  example: { needId: 'term-4-ended' },
  answer: { dismissed: true },
})
