/** The table of verbs. A new one is a file beside this one, a line here, and a handler in `handlers.ts` of its module in the server. */

import type * as z from 'zod'
import { approvals, decide, devices, openPage, revoke, revokeDevice } from './access.ts'
import { agents, fork, resume, spawn } from './agents.ts'
import { answer, dismiss, needs, questions } from './attention.ts'
import { execInEnvironment, stepEnvironment, verifyEnvironment } from './environment-steps.ts'
import { closeEnvironment, environments, forkEnvironment, makeEnvironment, resetEnvironment } from './environments.ts'
import { run, send, sendKeys, write } from './input.ts'
import { askToTake, pause, release, secret, take } from './lease.ts'
import { changeLineage, lineage, retry, stopLineage } from './lineage.ts'
import { inbox, sendMessage, sentMessages } from './messages.ts'
import { read, screenshot, wait } from './output.ts'
import { cancelPipeline, pipelines, resumePipeline, runPipeline, stepOutput } from './pipelines.ts'
import { pushKey, subscribePush, testPush, unsubscribePush } from './push.ts'
import { keptRecording, recording, recordings, timeline } from './records.ts'
import { close, create, list, rename, resize, signal } from './terminals.ts'
import { artifact, awaitAgents, instruct, keepAnswer, reply } from './turns.ts'
import type { Verb } from './verb.ts'

export const verbs = {
  create,
  send,
  run,
  sendKeys,
  read,
  wait,
  screenshot,
  resize,
  list,
  close,
  rename,
  write,
  take,
  askToTake,
  release,
  recording,
  recordings,
  keptRecording,
  timeline,
  needs,
  dismiss,
  questions,
  answer,
  approvals,
  decide,
  revoke,
  secret,
  signal,
  pause,
  agents,
  spawn,
  fork,
  resume,
  instruct,
  awaitAgents,
  artifact,
  reply,
  sendMessage,
  inbox,
  sentMessages,
  keepAnswer,
  runPipeline,
  pipelines,
  stepOutput,
  cancelPipeline,
  resumePipeline,
  lineage,
  changeLineage,
  stopLineage,
  retry,
  openPage,
  devices,
  revokeDevice,
  pushKey,
  subscribePush,
  unsubscribePush,
  testPush,
  makeEnvironment,
  resetEnvironment,
  stepEnvironment,
  execInEnvironment,
  verifyEnvironment,
  forkEnvironment,
  closeEnvironment,
  environments,
}

export type Verbs = typeof verbs
export type VerbName = keyof Verbs
/** Input as a caller writes it. */
export type VerbInput<Name extends VerbName> = z.input<Verbs[Name]['input']>
/** Input as a handler gets it: checked, and with defaults. */
export type ParsedVerbInput<Name extends VerbName> = z.output<Verbs[Name]['input']>
export type VerbOutput<Name extends VerbName> = z.output<Verbs[Name]['output']>

// One item of a list in a result.
export type ListedTerminal = VerbOutput<'list'>['terminals'][number]
export type ListedAgent = VerbOutput<'agents'>['agents'][number]
export type AwaitedAgent = VerbOutput<'awaitAgents'>['agents'][number]
export type WaitedTerminal = VerbOutput<'wait'>['terminals'][number]

export interface ToolVerb extends Verb {
  readonly tool: string
}

/** The verbs that agents have, by name. */
export const toolVerbs: Readonly<Record<string, ToolVerb>> = Object.fromEntries(
  Object.entries<Verb>(verbs).flatMap(([name, { tool, ...rest }]) =>
    tool === null ? [] : [[name, { ...rest, tool }]],
  ),
)

export function isVerbName(name: string): name is VerbName {
  return verbNames.has(name)
}

const verbNames: ReadonlySet<string> = new Set(Object.keys(verbs))

/**
 * The verbs whose records say that their handlers write to a keyboard.
 *
 * Every other verb reaches a keyboard only by a call of one of these (`reply` by `sendKeys`, `instruct` by `send`), or for a person alone
 * (`take`): `compose/typing-verbs.test.ts` calls all verbs and fails where that does not hold.
 */
export type TypingVerb = {
  [Name in VerbName]: Verbs[Name]['safety']['types'] extends null ? never : Name
}[VerbName]

export function isTypingVerb(name: string): name is TypingVerb {
  return isVerbName(name) && verbs[name].safety.types !== null
}
