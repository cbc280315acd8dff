import * as z from 'zod'
import { exampleNeed, Need } from '../needs/need.ts'
import { defineVerb } from './verb.ts'

/** For those who sit in front of a person. */
export const needs = defineVerb({
  name: 'needs',
  tool: null,
  title: 'List needs',
  summary:
    'What is blocked on a person: approvals, questions, dialogs of agents, passwords, confirmations, and what has ended with an error and nobody has looked at.',
  effect: 'reads',
  touches: 'own',
  safety: { types: null, starts: null, yields: null, callers: 'agent' },
  journal: null,
  words: { cli: 'agentpty needs', library: 'client.call("needs")' },
  input: z.strictObject({}),
  output: z.object({ needs: z.array(Need).describe('The newest last.') }),
  example: {},
  answer: { needs: [exampleNeed] },
})
