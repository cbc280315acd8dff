#!/usr/bin/env node
// The entry stays this small so that `agentpty mcp` answers within a blink: what a subcommand needs is loaded by it.
import { existsSync } from 'node:fs'

const main = new URL('../dist/main.js', import.meta.url)
if (!existsSync(main)) {
  process.stderr.write('agentpty is not built yet. In the checkout run: npm run build\n')
  process.exit(1)
}
try {
  await import(main.href)
} catch (error) {
  if (error?.syscall === 'uv_cwd') {
    process.stderr.write(
      'agentpty: The working folder does not exist any more.\nChange to another one and call again, for example: cd ~\n',
    )
    process.exit(1)
  }
  if (error?.code !== 'EMFILE' && error?.code !== 'ENFILE') throw error
  const whose = error.code === 'EMFILE' ? 'this process' : 'the whole machine'
  process.stderr.write(
    `agentpty: limit_reached: too many files are open for ${whose}, so its own could not be loaded.\nRaise the limit, for example: ulimit -n 1024\n`,
  )
  process.exit(1)
}
