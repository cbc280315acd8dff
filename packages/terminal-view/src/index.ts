export { withoutAnswers } from './no-answers.ts'
export { TerminalView, type TerminalViewOptions, type ViewSize } from './terminal-view.ts'
export { darkTheme, lightTheme } from './themes.ts'
