export { commandOf } from './command-of.ts'
export { type DropKind, type Dropped, dropKinds, isAnyDropped, noneDropped, type TerminalDrops } from './dropped.ts'
export { endedClientWords } from './ended-client.ts'
export type {
  EchoState,
  FollowedCommand,
  FollowedSnapshot,
  FollowOptions,
  Frame,
  FrameWindow,
  SessionEvent,
} from './events.ts'
export {
  betweenLateMs,
  crowdBehindBytesMax,
  crowdBurstBytes,
  crowdBytesPerSecond,
  followBehindBytesMax,
  followedSizesMax,
  followersUnrationedMax,
  frameRowsAboveMax,
  lateSnapshotMs,
  openSequenceBytesMax,
  rationPauseMs,
  snapshotScrollbackCharacters,
  snapshotScrollbackRows,
  titleCharactersMax,
} from './follow-limits.ts'
export { freeLease, HandBack, Lease, type Typist } from './lease.ts'
export {
  attachedLeaseMs,
  leaseMsMax,
  leaseReasonCharactersMax,
  personTypesMsMax,
  unsubmittedCharactersMax,
} from './lease-limits.ts'
export type { OverviewAgent, OverviewEvent, OverviewNode, OverviewOptions, OverviewRow } from './overview-event.ts'
export { OwnLease } from './own-lease.ts'
export {
  aboveOwnError,
  elsewhere,
  lineageVariable,
  ownTerminalError,
  terminalVariable,
  tokenVariable,
  withoutOwnTerminal,
} from './own-terminal.ts'
export { parseSessionInfo, type SessionInfo } from './session-info.ts'
export { needWords, overridingStatus, stateWords, statusWords, type TerminalState } from './state-words.ts'
export type { TerminalSummary, TerminalsEvent, WatchOptions } from './terminals-event.ts'
export {
  type Confidence,
  confidences,
  isAtLeast,
  type Kind,
  probabilities,
  type State,
  type Verdict,
} from './verdict.ts'
