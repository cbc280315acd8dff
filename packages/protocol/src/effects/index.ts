/** The gate and its effects. Other packages import this file alone. */

export {
  blindReasons,
  type EffectQuestion,
  type EffectVerb,
  effectVerbs,
  Gate,
  type GateAnswer,
  type GateMessage,
  type GatePlace,
  type GateSetting,
  GateShown,
  type GateState,
  type Gates,
  gateOf,
  gateSettings,
  gateStates,
  noGate,
  parseGateMessage,
  shownGate,
  writeGateAnswer,
} from './gate.ts'
export type { EffectRow, EffectsReport } from './report.ts'
export {
  type KeptFile,
  type KeptJob,
  type KeptReason,
  keptReasons,
  type RecordedDeletion,
  type UndoResult,
  type UndoRoom,
  undoBytesMax,
  undoCopyBytesMax,
  undoFilesMax,
  undoKeptMs,
  undoSweepMs,
} from './undo.ts'
