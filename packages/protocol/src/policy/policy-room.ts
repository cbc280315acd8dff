/** The policy's interface for the command line. */

import type { ToolDescription, ToolsetName } from '../mcp/tool.ts'
import type { OpenPolicyTerminal, PolicyFileState, RuleSource } from './policy.ts'

/** A tool that a client may have been given. */
export interface OfferedTool extends Pick<ToolDescription, 'name' | 'becomes'> {
  readonly toolset: ToolsetName
}

export interface KeptTool {
  readonly toolset: ToolsetName
  readonly tool: string
  /** The name that the rule is about: that of the tool, or what it becomes. */
  readonly resolved: string
  readonly source: RuleSource | 'built-in'
}

/** It has no state of its own. */
export interface PolicyRoom {
  readonly open: OpenPolicyTerminal
  /** The files whose rules hold in a folder, and what is wrong with them. */
  readonly files: (cwd: string) => readonly PolicyFileState[]
  /** The tools that a rule keeps from agents in a folder. */
  readonly keptTools: (cwd: string) => Promise<readonly KeptTool[]>
  /** Worth its time before many lines. */
  readonly warmUp: () => void
}
