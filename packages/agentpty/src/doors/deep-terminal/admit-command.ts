/** The one place that every command passes before anything of it is typed, and before its session is looked for. */

import type { ToolCall } from '../../contracts/mcp/toolset.ts'

/** Resolves when the command may be sent. Errors: any TermError; its message is what the caller is told. */
export type AdmitCommand = (command: string, call: ToolCall) => Promise<void>

/** Without rules, every command may be sent. */
export const admitEveryCommand: AdmitCommand = async () => {}
