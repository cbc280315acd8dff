import type { Script } from './arguments.mjs'
export const scripts: Readonly<Record<string, Script>>
