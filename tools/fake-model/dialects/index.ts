import type { Dialect, DialectName } from '../types.ts'
import { anthropic } from './anthropic.ts'
import { chat } from './chat.ts'
import { gemini } from './gemini.ts'
import { responses } from './responses.ts'

export const dialects: Readonly<Record<DialectName, Dialect>> = { anthropic, responses, chat, gemini }
