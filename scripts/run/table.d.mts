import type { ExplainedScript } from './arguments.mjs'
export const scripts: Readonly<Record<string, ExplainedScript>>
