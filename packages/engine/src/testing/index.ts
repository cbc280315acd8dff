export {
  parseStatusReport,
  type StatusRecord,
  StatusRecords,
  type StatusReport,
  statuses,
} from '../agents/program-status.ts'
export { MarkScanner } from '../marks/mark-scanner.ts'
export type { Mark } from '../marks/parse-osc.ts'
export { startHost } from '../ptyhost/claim-host.ts'
export { decodePayload, encodeFrame, type Frame, FrameSplitter, FrameWriter } from '../ptyhost/frames.ts'
export { answers, type FrameRow, protocolMagic, protocolVersion, requests, writeResults } from '../ptyhost/protocol.ts'
export type { CellPicture } from '../screen/cell-picture.ts'
export type { ScreenSnapshot } from '../screen/screen-copies.ts'
export { openTerminal, writeAtOnce } from '../screen/terminal.ts'
export { playedTwice, Replica } from '../screen/testing/drawn-again.ts'
export { LazyScreen } from '../session/lazy-screen.ts'
export { agentTypes, type FakeSession, mark, openFakeSession, testTypist } from '../session/testing/fake-session.ts'
export { cursorLine } from '../turn/prompt-shape.ts'
export { Waiter } from '../waits/waiter.ts'
