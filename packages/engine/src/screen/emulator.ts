/** The parts that work on any xterm.js: on the one of Node, and on the one of browsers. */

export { boundEmulator } from './bound-emulator.ts'
export { drawTerminal } from './draw-terminal.ts'
export { openKindOf } from './emulator-state.ts'
export { targetOfCell } from './links.ts'
