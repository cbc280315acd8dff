export { withoutAnswers } from './no-answers.ts'
export { TerminalView, type TerminalViewOptions, type ViewSize } from './terminal-view.ts'
export { type LookOptions, lookOf, type TerminalLook } from './themes.ts'
