/** task.yaml of terminal-bench 1, and solution.yaml: keystrokes in place of a script. */

import { type DeepReadonly, replyCommandsMax } from '@agentpty/protocol/gym'
import * as z from 'zod'

const Minutes = z.number().min(0)

export const TerminalBenchTask = z.looseObject({
  instruction: z.string(),
  difficulty: z.enum(['easy', 'medium', 'hard', 'unknown']),
  author_name: z.string().default('unknown'),
  author_email: z.string().default('unknown'),
  category: z.string().default('software_engineering'),
  tags: z.array(z.string()).default([]),
  parser_name: z.enum(['pytest', 'swebench', 'swelancer', 'mlebench', 'sweperf']).default('pytest'),
  max_agent_timeout_sec: z.number().positive().default(360),
  max_test_timeout_sec: z.number().positive().default(60),
  run_tests_in_same_shell: z.boolean().default(false),
  disable_asciinema: z.boolean().default(false),
  estimated_duration_sec: z.number().min(0).nullish(),
  expert_time_estimate_min: Minutes.nullish(),
  junior_time_estimate_min: Minutes.nullish(),
})
export type TerminalBenchTask = DeepReadonly<z.output<typeof TerminalBenchTask>>

export const KeystrokeCommands = z
  .array(
    z.looseObject({
      command: z.string(),
      /** Seconds; what `append_enter` and `block` leave open. */
      min_timeout_sec: z.number().min(0).default(0),
      max_timeout_sec: z.number().min(0).default(180),
      block: z.boolean().default(false),
      append_enter: z.boolean().default(true),
    }),
  )
  .max(replyCommandsMax)
export type KeystrokeCommands = DeepReadonly<z.output<typeof KeystrokeCommands>>
