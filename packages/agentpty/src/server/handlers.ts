/** The table of handlers. Written by `npm run docs` from contracts/verbs/index.ts: add a verb there. */

import { closeEnvironment } from '../gym/verbs/close-environment.ts'
import { environments } from '../gym/verbs/environments.ts'
import { execInEnvironment } from '../gym/verbs/exec-in-environment.ts'
import { forkEnvironment } from '../gym/verbs/fork-environment.ts'
import { makeEnvironment } from '../gym/verbs/make-environment.ts'
import { resetEnvironment } from '../gym/verbs/reset-environment.ts'
import { stepEnvironment } from '../gym/verbs/step-environment.ts'
import { verifyEnvironment } from '../gym/verbs/verify-environment.ts'
import { agents } from './agents/verbs/agents.ts'
import { artifact } from './agents/verbs/artifact.ts'
import { awaitAgents } from './agents/verbs/await-agents.ts'
import { changeLineage } from './agents/verbs/change-lineage.ts'
import { fork } from './agents/verbs/fork.ts'
import { inbox } from './agents/verbs/inbox.ts'
import { instruct } from './agents/verbs/instruct.ts'
import { keepAnswer } from './agents/verbs/keep-answer.ts'
import { lineage } from './agents/verbs/lineage.ts'
import { resume } from './agents/verbs/resume.ts'
import { retry } from './agents/verbs/retry.ts'
import { sendMessage } from './agents/verbs/send-message.ts'
import { sentMessages } from './agents/verbs/sent-messages.ts'
import { spawn } from './agents/verbs/spawn.ts'
import { stopLineage } from './agents/verbs/stop-lineage.ts'
import { approvals } from './approvals/verbs/approvals.ts'
import { decide } from './approvals/verbs/decide.ts'
import { timeline } from './audit/verbs/timeline.ts'
import type { Handlers } from './call/handler.ts'
import { devices } from './devices/verbs/devices.ts'
import { openPage } from './devices/verbs/open-page.ts'
import { revokeDevice } from './devices/verbs/revoke-device.ts'
import { dismiss } from './needs/verbs/dismiss.ts'
import { needs } from './needs/verbs/needs.ts'
import { cancelPipeline } from './pipelines/verbs/cancel-pipeline.ts'
import { pipelines } from './pipelines/verbs/pipelines.ts'
import { resumePipeline } from './pipelines/verbs/resume-pipeline.ts'
import { runPipeline } from './pipelines/verbs/run-pipeline.ts'
import { stepOutput } from './pipelines/verbs/step-output.ts'
import { keptRecording } from './recordings/verbs/kept-recording.ts'
import { recording } from './recordings/verbs/recording.ts'
import { recordings } from './recordings/verbs/recordings.ts'
import { revoke } from './scopes/verbs/revoke.ts'
import { answer } from './terminals/verbs/answer.ts'
import { askToTake } from './terminals/verbs/ask-to-take.ts'
import { close } from './terminals/verbs/close.ts'
import { create } from './terminals/verbs/create.ts'
import { list } from './terminals/verbs/list.ts'
import { pause } from './terminals/verbs/pause.ts'
import { questions } from './terminals/verbs/questions.ts'
import { read } from './terminals/verbs/read.ts'
import { release } from './terminals/verbs/release.ts'
import { rename } from './terminals/verbs/rename.ts'
import { reply } from './terminals/verbs/reply.ts'
import { resize } from './terminals/verbs/resize.ts'
import { run } from './terminals/verbs/run.ts'
import { screenshot } from './terminals/verbs/screenshot.ts'
import { secret } from './terminals/verbs/secret.ts'
import { send } from './terminals/verbs/send.ts'
import { sendKeys } from './terminals/verbs/send-keys.ts'
import { signal } from './terminals/verbs/signal.ts'
import { take } from './terminals/verbs/take.ts'
import { wait } from './terminals/verbs/wait.ts'
import { write } from './terminals/verbs/write.ts'

export const handlers: Handlers = {
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
