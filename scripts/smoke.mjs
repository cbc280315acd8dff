#!/usr/bin/env node
/**
 * Checks that the built product works on this Node. Plain JavaScript without a dependency, so that any Node can run it:
 *
 *   node scripts/smoke.mjs        needs only `npm run build`; one line per check, exit code 0 when all are well
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { McpStdio } from '../bench/lib/mcp-stdio.mjs'

const program = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../packages/agentpty/bin/agentpty.js')
const home = mkdtempSync(path.join(tmpdir(), 'agentpty-smoke-'))
const env = { ...process.env, HOME: home, AGENTPTY_HOME: home }
/** A hanging product must not hang its check. */
const stepMsMax = 30_000

const mcp = new McpStdio(process.execPath, [program, 'mcp'], { env, stdio: ['pipe', 'pipe', 'inherit'] })
let failed = 0
try {
  await check('initialize', async () => {
    assert.equal((await mcp.initialize()).serverInfo.name, 'agentpty')
  })
  await check('tools/list has 11 tools', async () => assert.equal((await mcp.tools()).length, 11))
  await check('terminal_run returns output and exit code', async () => {
    const { structuredContent } = await mcp.call('terminal_run', { command: 'echo smoke' })
    assert.equal(structuredContent.exitCode, 0)
    assert.match(structuredContent.output, /smoke/)
  })
  await check('status --json has the daemon’s pid', () => {
    const { stdout } = cli('status', '--json')
    assert.equal(typeof JSON.parse(stdout).daemon.pid, 'number')
  })
} finally {
  await check('stop --all', () => assert.equal(cli('stop', '--all').status, 0))
  await mcp.stop()
  rmSync(home, { recursive: true, force: true })
}
process.exitCode = failed > 0 ? 1 : 0

async function check(name, run) {
  const timer = setTimeout(() => giveUp(name), stepMsMax)
  try {
    await run()
    process.stdout.write(`ok      ${name} (Node ${process.version})\n`)
  } catch (error) {
    failed++
    process.stdout.write(`not ok  ${name}: ${error.message}\n`)
  } finally {
    clearTimeout(timer)
  }
}

function giveUp(name) {
  process.stdout.write(`not ok  ${name}: no answer within ${stepMsMax / 1000} s\n`)
  cli('stop', '--all')
  process.exit(1)
}

function cli(...args) {
  return spawnSync(process.execPath, [program, ...args], { env, encoding: 'utf8' })
}
