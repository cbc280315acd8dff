/**
 * Additions of a person or a repository to the policy: `policy` in config.yaml, `.agentpty/policy.yaml`, and the two
 * files of CodeBuddy.
 *
 * Each word has one meaning: `deny` is never, `only` is nothing else, `ask` is with a person’s consent, `allow` is
 * without a question.
 */

import * as z from 'zod'
import { gateSettings } from '../effects/gate.ts'
import { policyPatternCharactersMax, policyPatternsMax } from '../limits.ts'
import { Sandbox } from '../sandbox/sandbox.ts'
import { policyProfiles } from './policy.ts'

/** Effects of typing into a program, by the kind of program. */
export const typingKinds = ['repl', 'editor', 'database', 'remote', 'agent', 'other'] as const
export type TypingKind = (typeof typingKinds)[number]

export const policyVerdicts = ['allow', 'ask', 'deny'] as const

const Pattern = z.string().min(1).max(policyPatternCharactersMax)
const patterns = (what: string) => z.array(Pattern).max(policyPatternsMax).describe(what)

export const PolicySettings = z
  .strictObject({
    profile: z.enum(policyProfiles).describe('How strict the policy is.'),
    deny: patterns('Commands that never run: `docker push`, or an expression as `/docker\\s+push/`.'),
    ask: patterns('Commands that a person has to see first.'),
    allow: patterns('Commands that run without a question. They lift neither the floor nor what cannot be resolved.'),
    tools: z
      .strictObject({
        only: patterns('The only tools that may be called: `terminal_*`.'),
        deny: patterns('Tools that may not be called.'),
      })
      .partial()
      .describe('Which tools may be called.'),
    paths: z
      .strictObject({
        read: patterns('Secrets that may be read without a question.'),
        write: patterns('Places outside the workspace that may be written without a question.'),
        deny: patterns('What may be neither read nor written nor removed: `.env`, `secrets/`, `~/notes`.'),
      })
      .partial()
      .describe('Rules for files, as patterns of .gitignore.'),
    urls: z
      .strictObject({
        only: patterns('The only addresses that a command may name: `*.example.com`.'),
        deny: patterns('Addresses that no command may name.'),
      })
      .partial()
      .describe('Rules for addresses.'),
    typing: z
      .strictObject(
        Object.fromEntries(
          typingKinds.map((kind) => [kind, z.enum(policyVerdicts).describe('`allow`, `ask` or `deny`.')]),
        ) as Record<TypingKind, z.ZodEnum<{ allow: 'allow'; ask: 'ask'; deny: 'deny' }>>,
      )
      .partial()
      .describe('Whether text may be typed into programs that are no shells.'),
    sandbox: Sandbox.describe(
      'The walls around every terminal that an agent opens: `true`, or what of them is stricter.',
    ),
    gate: z
      .enum(gateSettings)
      .describe(
        'What is done about effects on files, at the system call: `off`, `journal` or `ask`. See docs/effects.md.',
      ),
    approvalTimeoutMs: z
      .number()
      .int()
      .min(1_000)
      .max(7 * 86_400_000)
      .describe('How long a person may take to answer, in milliseconds.'),
  })
  .partial()
export type PolicySettings = Readonly<z.infer<typeof PolicySettings>>
