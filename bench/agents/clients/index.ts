import { claude } from './claude.ts'
import type { AgentClient } from './client.ts'
import { codex } from './codex.ts'
import { copilot } from './copilot.ts'
import { gemini } from './gemini.ts'
import { opencode } from './opencode.ts'

export const clients: readonly AgentClient[] = [claude, codex, gemini, opencode, copilot]
