/** agentpty’s own command line: what would answer for a person, and what would end the server. */

import type { Program, Programs } from '../walk/shell.ts'
import { isKnown, joinedArgs, nothing, unknownStream } from '../walk/value.ts'
import { readOptions, valuesOf } from './options.ts'

const grants = /^(approvals?|approve|allow|grant|permissions?|consent)\b(?!.*\b(list|ls|show|get|status)\b)/
const answers =
  /^(policy (set|disable|off|allow|reset|edit|unlock|trust|remove|add|profile)|profile (set|use|trusted)|trust|config set\b.*(profile|policy|approv|guard|allow|trust|yolo)|config (unset|edit)|guard (off|disable)|sandbox (off|disable)|unlock)\b/
const ends = /^(daemon (stop|kill|restart)|stop|kill|token|config set|uninstall|upgrade|serve|rpc)\b/

/** Commands whose words say what is done; others only name terminals. */
const changes = /^(approvals?|policy|config|guard|sandbox|new|run|send|type|keys|start|open|exec)$/

const agentpty: Program = ({ args, stdin, readsTerminal }, shell) => {
  const options = readOptions(args, { valued: 'profile policy config' })
  const line = joinedArgs(options.operands).text
  const isCheck = /^policy check\b/.test(line)
  const [verb] = options.operands
  if (verb !== undefined && !isKnown({ text: changes.test(verb.text) ? line : verb.text }))
    shell.report('Q2', 'unresolved')
  if (grants.test(line) && !(line === 'approvals' && readsTerminal) && !/^\S+ (list|ls|show)\b/.test(line))
    shell.report('D2', 'self-approve')
  else if (answers.test(line) && !isCheck) shell.report('D2', 'self-approve')
  else if (ends.test(line)) shell.report('Q2', 'self-tampering')
  if (!isCheck && valuesOf(options, 'profile', 'policy').some(({ text }) => text !== 'restricted'))
    shell.report('D2', 'self-approve')
  if (
    args.some(({ text }) =>
      /^--(yes|auto-approve|no-policy|no-guard|dangerously\S*|yolo|trust|unsafe|allow-all|skip-approvals?)$/.test(text),
    )
  )
    shell.report('D2', 'self-approve')
  const at = args.findIndex(({ text }) => text === '--')
  if (at >= 0 && /^(new|run|start|open|exec)\b/.test(line)) return shell.run(args.slice(at + 1), stdin)
  if (/^(send|run|type|keys)\b/.test(line))
    return shell.subshell().runCode(joinedArgs(options.operands.slice(/^run\b/.test(line) ? 1 : 2)))
  return isCheck ? unknownStream() : nothing
}

export const ownPrograms: Programs = {
  agentpty,
  agentptyd: agentpty,
  aptyd: agentpty,
}
