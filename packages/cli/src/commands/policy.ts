/**
 * `agentpty policy check`: judges lines from standard input; `agentpty policy files`: the sources of the rules;
 * `agentpty policy why`: the rule that decided a past call. No daemon is involved, and nothing runs.
 */

import { invalidInput } from '@agentpty/protocol'
import {
  type OpenPolicyTerminal,
  type PolicyAnswer,
  type PolicyLine,
  type PolicyProfile,
  type PolicySituation,
  parsePolicyLine,
  policyProfiles,
} from '@agentpty/protocol/policy'
import { type CliOptions, type Command, type CommandCall, exitCode, printResult, textFlag } from '../command.ts'
import { printPolicyFiles } from './policy-files.ts'
import { explainPastCall } from './policy-why.ts'

const actions = ['check', 'files', 'why'] as const

export const policy: Command = {
  name: 'policy',
  usage: 'check|files|why ID',
  summary: 'judge shell lines without running them, and explain the rules',
  group: 'clients',
  words: [1, 2],
  choices: actions,
  flags: {
    profile: {
      type: 'string',
      value: 'P',
      help: 'restricted, standard or trusted; default: the profile of config.yaml, or standard',
      choices: policyProfiles,
    },
    'built-in': { type: 'boolean', help: 'use only the built-in rules and read no files' },
    gated: {
      type: 'boolean',
      help: 'judge as in a terminal with the gate `ask`, where the gate judges file changes',
    },
    jsonl: { type: 'boolean', help: 'read and write JSON lines: {"id","command","shell","cwd"?,"home"?}' },
  },
  notes: [
    'check: judges standard input. Plain lines count as typed into one terminal; with --jsonl each line has its own terminal.',
    'With --jsonl, command may be a list of everything that is typed, keys included.',
    'A key that moves the cursor, deletes or recalls gets the answer ask: a real terminal reads the line from its shell instead.',
    'The rules come from config.yaml and from the repository around the folder (docs/policy.md).',
    'files: lists the files with rules, and the tools that they hide from agents. Exit code 1: a file is invalid.',
    'why: shows the rule that decided a call. The id is in the refusal and in `agentpty audit`.',
    'Answers: allow; ask: a person must decide; deny: this profile never allows it.',
  ],
  examples: [
    "echo 'rm -rf build' | agentpty policy check",
    'agentpty policy check --jsonl --profile trusted < lines.jsonl',
    'agentpty policy files',
    'agentpty policy why au-1k2x9f0q',
  ],
  run: async (call) => {
    const [name, id] = call.words
    const action = actions.find((one) => one === name)
    if (action === 'why' && id !== undefined) return explainPastCall(id, call)
    if (action === undefined || action === 'why' || id !== undefined)
      throw invalidInput(`policy ${call.words.join(' ')}: no such thing.`, 'Use one of: check, files, why ID')
    return action === 'files' ? printPolicyFiles(call) : check(call)
  },
}

type Rules = Pick<PolicySituation, 'profile' | 'rules' | 'isGated'>

async function check(call: CommandCall): Promise<number> {
  const { flags } = call
  const rules: Rules = {
    profile: profileOf(call),
    rules: flags['built-in'] === true ? 'built-in' : 'files',
    isGated: flags['gated'] === true,
  }
  const [{ open, warmUp }, input] = await Promise.all([call.options.policy(), call.options.readInput()])
  const lines = input.split('\n').filter((line) => line.trim() !== '')
  if (flags['jsonl'] !== true) return checkPlain(lines, rules, open, call)
  warmUp()
  return checkJson(lines, rules, open, call.options)
}

/** Null when none is named. */
function profileOf({ flags }: CommandCall): PolicyProfile | null {
  const given = textFlag(flags, 'profile')
  if (given === undefined) return null
  const known = policyProfiles.find((one) => one === given)
  if (known !== undefined) return known
  throw invalidInput(`--profile ${given}: no such profile.`, `Use one of: ${policyProfiles.join(', ')}`)
}

const batchLines = 500 // answers that are printed at once

/** A line that cannot be read is answered with an error, and the others go on. */
async function checkJson(
  lines: readonly string[],
  rules: Rules,
  open: OpenPolicyTerminal,
  options: CliOptions,
): Promise<number> {
  let isBroken = false
  for (let from = 0; from < lines.length; from += batchLines) {
    const answers = lines.slice(from, from + batchLines).map((text, index) => {
      const line = parsePolicyLine(text)
      if (!('error' in line)) return answerTo(line, rules, open, options)
      isBroken = true
      return { line: from + index + 1, error: line.error }
    })
    await options.print(answers.map((answer) => `${JSON.stringify(answer)}\n`).join(''))
  }
  return isBroken ? exitCode.failed : exitCode.ok
}

function answerTo(
  { id, command, shell, cwd, home }: PolicyLine,
  rules: Rules,
  open: OpenPolicyTerminal,
  options: CliOptions,
) {
  const { folders } = options
  const terminal = open({ ...rules, shell, cwd: cwd ?? folders.cwd, home: home ?? folders.home })
  const before = options.clock.now()
  const { verdict, rule, resolved, reason, personReason, source } = terminal.judge(command)
  const us = Math.round((options.clock.now() - before) * 1_000)
  return { id, verdict, rule, resolved, us, reason, personReason, source }
}

async function checkPlain(
  lines: readonly string[],
  rules: Rules,
  open: OpenPolicyTerminal,
  { options, json }: CommandCall,
): Promise<number> {
  const terminal = open({ ...rules, shell: 'bash', ...options.folders })
  const answers = lines.map((line) => ({ line, ...terminal.judge(line) }))
  return printResult({ options, json }, { answers }, answers.map(toText).join(''))
}

function toText({ line, verdict, rule, personReason, source }: PolicyAnswer & { readonly line: string }): string {
  const written = source === 'built-in' ? '' : ` (${source.file}:${source.line})`
  const because = verdict === 'allow' && written === '' ? '' : `       ${rule}${written}: ${personReason}\n`
  return `${verdict.padEnd(5)}  ${line}\n${because}`
}
