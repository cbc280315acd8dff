/** `agentpty policy check`: what the policy says of lines from standard input. No daemon is asked, and nothing runs. */

import { TermError } from '../../../contracts/errors.ts'
import {
  type OpenPolicyTerminal,
  type PolicyAnswer,
  type PolicyLine,
  type PolicyProfile,
  parsePolicyLine,
  policyProfiles,
} from '../../../contracts/policy/policy.ts'
import { type CliOptions, type Command, type CommandCall, exitCode, textFlag } from '../command.ts'

export const checkPolicy: Command = {
  name: 'policy',
  usage: 'check',
  summary: 'what the policy says of the shell lines on standard input; runs nothing',
  group: 'agents',
  words: [1, 1],
  choices: ['check'],
  flags: {
    profile: {
      type: 'string',
      value: 'P',
      help: 'restricted, standard or trusted; default standard',
      choices: policyProfiles,
    },
    jsonl: { type: 'boolean', help: 'each line is {"id","command","shell","cwd"?,"home"?}; so are the answers' },
  },
  notes: [
    'Plain lines are judged as if typed one after the other into one terminal; with --jsonl each line has its own.',
    'With --jsonl, command may be a list: what is written to a terminal, keys and all.',
    'allow: nothing speaks against it. ask: a person should decide. deny: not in this profile.',
  ],
  examples: [
    "echo 'rm -rf build' | agentpty policy check",
    'agentpty policy check --jsonl --profile trusted < lines.jsonl',
  ],
  run: async (call) => {
    if (call.words[0] !== 'check')
      throw new TermError('invalid_input', `policy ${call.words[0]}: no such thing.`, 'Use: agentpty policy check')
    const profile = profileOf(call)
    const [{ open, warmUp }, input] = await Promise.all([call.options.policy(), call.options.readInput()])
    const lines = input.split('\n').filter((line) => line.trim() !== '')
    if (call.flags['jsonl'] === true) warmUp()
    return call.flags['jsonl'] === true
      ? checkJson(lines, profile, open, call.options)
      : checkPlain(lines, profile, open, call)
  },
}

function profileOf({ flags }: CommandCall): PolicyProfile {
  const given = textFlag(flags, 'profile') ?? 'standard'
  const known = policyProfiles.find((one) => one === given)
  if (known !== undefined) return known
  throw new TermError(
    'invalid_input',
    `--profile ${given}: no such profile.`,
    `Use one of: ${policyProfiles.join(', ')}`,
  )
}

const batchLines = 500 // answers that are printed at once

/** A line that cannot be read is answered with an error, and the others go on. */
async function checkJson(
  lines: readonly string[],
  profile: PolicyProfile,
  open: OpenPolicyTerminal,
  options: CliOptions,
): Promise<number> {
  let isBroken = false
  for (let from = 0; from < lines.length; from += batchLines) {
    const answers = lines.slice(from, from + batchLines).map((text, index) => {
      const line = parsePolicyLine(text)
      if (!('error' in line)) return answerTo(line, profile, open, options)
      isBroken = true
      return { line: from + index + 1, error: line.error }
    })
    await options.print(answers.map((answer) => `${JSON.stringify(answer)}\n`).join(''))
  }
  return isBroken ? exitCode.failed : exitCode.ok
}

function answerTo(
  { id, command, shell, cwd, home }: PolicyLine,
  profile: PolicyProfile,
  open: OpenPolicyTerminal,
  options: CliOptions,
) {
  const before = options.now()
  const situation = { profile, shell, cwd: cwd ?? options.folders.cwd, home: home ?? options.folders.home }
  const { verdict, rule, resolved, reason } = open(situation).judge(command)
  return { id, verdict, rule, resolved, us: Math.round((options.now() - before) * 1_000), reason }
}

async function checkPlain(
  lines: readonly string[],
  profile: PolicyProfile,
  open: OpenPolicyTerminal,
  { options, json }: CommandCall,
): Promise<number> {
  const terminal = open({ profile, shell: 'bash', ...options.folders })
  const answers = lines.map((line) => ({ line, ...terminal.judge(line) }))
  await options.print(json ? `${JSON.stringify({ answers })}\n` : answers.map(toText).join(''))
  return exitCode.ok
}

function toText({ line, verdict, rule, reason }: PolicyAnswer & { readonly line: string }): string {
  const because = verdict === 'allow' ? '' : `       ${rule}: ${reason}\n`
  return `${verdict.padEnd(5)}  ${line}\n${because}`
}
