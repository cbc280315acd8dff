/** agentpty as its users have it: the built library, with an environment independent of the person's. */

import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Engine } from 'agentpty'

const built = fileURLToPath(new URL('../../../packages/agentpty/dist/index.js', import.meta.url))

/** Agents that find another agent's marks or settings in their environment behave differently. */
const passed = ['PATH', 'LANG', 'USER', 'LOGNAME', 'SHELL', 'TZ', 'AGENTPTY_PTYHOST']

export async function openBuiltEngine(): Promise<Engine> {
  if (!existsSync(built)) throw new Error(`${path.relative(process.cwd(), built)} is not there; run npm run build`)
  for (const name of Object.keys(process.env)) if (!passed.includes(name)) delete process.env[name]
  const { openEngine }: { openEngine: (options: object) => Promise<Engine> } = await import(built)
  return openEngine({ profile: 'trusted', approve: () => true })
}
