export {
  betweenLateMs,
  crowdBehindBytesMax,
  crowdBurstBytes,
  crowdBytesPerSecond,
  type EchoState,
  type FollowedCommand,
  type FollowedSnapshot,
  type FollowOptions,
  type Frame,
  type FrameWindow,
  followBehindBytesMax,
  followedSizesMax,
  followersUnrationedMax,
  frameRowsAboveMax,
  lateSnapshotMs,
  openSequenceBytesMax,
  rationPauseMs,
  type SessionEvent,
  snapshotScrollbackCharacters,
  snapshotScrollbackRows,
  type TerminalSummary,
  type TerminalsEvent,
  titleCharactersMax,
  type WatchOptions,
} from './events.ts'
export { freeLease, HandBack, Lease } from './lease.ts'
export {
  attachedLeaseMs,
  leaseMsMax,
  leaseReasonCharactersMax,
  personTypesMsMax,
  type Typist,
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
export {
  commandOf,
  type DropKind,
  type Dropped,
  dropKinds,
  endedClientWords,
  isAnyDropped,
  noneDropped,
  type TerminalDrops,
} from './session-names.ts'
export {
  endWords,
  needWords,
  overridingStatus,
  stateVocabulary,
  stateWords,
  statusWords,
  type TerminalState,
} from './state-words.ts'
export {
  type Confidence,
  confidences,
  isAtLeast,
  type Kind,
  probabilities,
  type State,
  type Verdict,
} from './verdict.ts'
