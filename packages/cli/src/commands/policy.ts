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
  summary:
    'what the policy says of the shell lines on standard input; runs nothing. The files that its rules come from, and the tools they keep from agents. What decided a past call',
  group: 'clients',
  words: [1, 2],
  choices: actions,
  flags: {
    profile: {
      type: 'string',
      value: 'P',
      help: 'restricted, standard or trusted, in place of that in config.yaml; without either standard',
      choices: policyProfiles,
    },
    'built-in': { type: 'boolean', help: 'look at no files: only what is built in' },
    gated: {
      type: 'boolean',
      help: 'as in a terminal whose gate is ask, where changes of files are no matter of words',
    },
    jsonl: { type: 'boolean', help: 'each line is {"id","command","shell","cwd"?,"home"?}; so are the answers' },
  },
  notes: [
    'Plain lines are judged as if typed one after the other into one terminal; with --jsonl each line has its own.',
    'With --jsonl, command may be a list: what is written to a terminal, keys and all.',
    'A key that moves, kills or recalls is answered with ask: a terminal reads the line from its shell instead.',
    'The rules are those of config.yaml and of the repository around the folder: see docs/policy.md.',
    'files: exit code 1 when one of them is invalid.',
    'why: which rule of which file decided; the id is in the refusal, and in agentpty audit.',
    'allow: nothing speaks against it. ask: a person should decide. deny: not in this profile.',
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
