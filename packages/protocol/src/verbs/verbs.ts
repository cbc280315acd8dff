/** The table of verbs. A new one is a file beside this one, a line here, and a handler in `handlers.ts` of its module in the server. */

import type { z } from 'zod'
import { agents } from './agents.ts'
import { answer } from './answer.ts'
import { approvals } from './approvals.ts'
import { artifact } from './artifact.ts'
import { askToTake } from './ask-to-take.ts'
import { awaitAgents } from './await-agents.ts'
import { cancelPipeline } from './cancel-pipeline.ts'
import { changeLineage } from './change-lineage.ts'
import { close } from './close.ts'
import { closeEnvironment } from './close-environment.ts'
import { create } from './create.ts'
import { decide } from './decide.ts'
import { devices } from './devices.ts'
import { dismiss } from './dismiss.ts'
import { environments } from './environments.ts'
import { execInEnvironment } from './exec-in-environment.ts'
import { fork } from './fork.ts'
import { forkEnvironment } from './fork-environment.ts'
import { inbox } from './inbox.ts'
import { instruct } from './instruct.ts'
import { keepAnswer } from './keep-answer.ts'
import { keptRecording } from './kept-recording.ts'
import { lineage } from './lineage.ts'
import { list } from './list.ts'
import { makeEnvironment } from './make-environment.ts'
import { needs } from './needs.ts'
import { openPage } from './open-page.ts'
import { pause } from './pause.ts'
import { pipelines } from './pipelines.ts'
import { questions } from './questions.ts'
import { read } from './read.ts'
import { recording } from './recording.ts'
import { recordings } from './recordings.ts'
import { release } from './release.ts'
import { rename } from './rename.ts'
import { reply } from './reply.ts'
import { resetEnvironment } from './reset-environment.ts'
import { resize } from './resize.ts'
import { resume } from './resume.ts'
import { resumePipeline } from './resume-pipeline.ts'
import { retry } from './retry.ts'
import { revoke } from './revoke.ts'
import { revokeDevice } from './revoke-device.ts'
import { run } from './run.ts'
import { runPipeline } from './run-pipeline.ts'
import { screenshot } from './screenshot.ts'
import { secret } from './secret.ts'
import { send } from './send.ts'
import { sendKeys } from './send-keys.ts'
import { sendMessage } from './send-message.ts'
import { sentMessages } from './sent-messages.ts'
import { signal } from './signal.ts'
import { spawn } from './spawn.ts'
import { stepEnvironment } from './step-environment.ts'
import { stepOutput } from './step-output.ts'
import { stopLineage } from './stop-lineage.ts'
import { take } from './take.ts'
import { timeline } from './timeline.ts'
import type { Verb } from './verb.ts'
import { verifyEnvironment } from './verify-environment.ts'
import { wait } from './wait.ts'
import { write } from './write.ts'

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
