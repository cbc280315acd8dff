export { Need, type NeedKind } from './need.ts'
export {
  attachedNeedAfterMs,
  firstOverviewMs,
  floodGapMs,
  glanceGapMsMin,
  glanceMs,
  glancesAtOnceMax,
  livelyGapMsMax,
  needAfterMs,
  needOptionsMax,
  needsMax,
  needTextCharactersMax,
  overviewGatherMs,
  overviewTextCharactersMax,
  promptGlanceMs,
  silentGapMsMax,
} from './need-limits.ts'
export {
  hookMsMax,
  messagesWaitingMax,
  type NotifyMessage,
  retryGapsMs,
  type SendMessage,
  webhookMsMax,
} from './notify.ts'
export type { Overview } from './overview.ts'
