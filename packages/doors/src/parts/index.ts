export {
  type Begin,
  type QueuedAgent,
  QueuedAgents,
  type QueuedAgentsOptions,
  type Starting,
  waitsFor,
} from './agents/queued-agents.ts'
export { IdleEnd } from './aside.ts'
export { answerJson, type DoorRoute, readBody, readJsonBody } from './http-json.ts'
export { endOffset, readRaw } from './raw-output.ts'
