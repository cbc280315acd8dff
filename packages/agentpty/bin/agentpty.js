#!/usr/bin/env node
// The entry stays this small so that `agentpty mcp` answers within a blink: what a subcommand needs is loaded by it.
import { existsSync } from 'node:fs'

const main = new URL('../dist/main.js', import.meta.url)
if (!existsSync(main)) {
  process.stderr.write('agentpty is not built yet. In the checkout run: npm run build\n')
  process.exit(1)
}
await import(main.href)
