/**
 * Records the scenarios with our own library: the raw bytes of each program, and its size.
 *
 *   node --import tsx tests/golden/record.ts [NAME ...]    needs the programs; then UPDATE=1 writes the expected results
 */

import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { openEngine } from 'agentpty'
import { files, type Scenario, scenarios } from './scenarios.ts'

/** The same user name everywhere, because programs show it. */
const folder = '/tmp/golden'

async function main(names: readonly string[]): Promise<void> {
  Object.assign(globalThis, { __AGENTPTY_VERSION__: 'golden' })
  process.env['AGENTPTY_PTYHOST'] ??= resolve('native/ptyhost/build/ptyhost')
  prepare()
  const engine = await openEngine()
  const chosen = scenarios.filter(({ name }) => names.length === 0 || names.includes(name))
  for (const scenario of chosen) {
    const bytes = await record(engine.client, scenario)
    const { name, cols, rows, lineWise } = scenario
    const target = join(import.meta.dirname, name)
    mkdirSync(target, { recursive: true })
    writeFileSync(join(target, 'output.raw'), bytes)
    writeFileSync(join(target, 'about.json'), `${JSON.stringify({ cols, rows, lineWise })}\n`)
    process.stdout.write(`${name}: ${bytes.length} bytes\n`)
  }
  await engine.close()
  rmSync(folder, { recursive: true, force: true })
}

type Client = Awaited<ReturnType<typeof openEngine>>['client']

async function record(client: Client, { cols, rows, command, steps, lineWise }: Scenario): Promise<Buffer> {
  const env = { HOME: folder, GIT_CONFIG_GLOBAL: '/dev/null', MC_HOME: folder, LC_ALL: 'C.UTF-8', PS1: '$ ' }
  const waitFor = steps.length > 0 || !lineWise ? { stableMs: 300 } : 'exit'
  const { terminalId } = await client.call('create', { command: [...command], cols, rows, cwd: folder, env, waitFor })
  for (const step of steps) {
    if (typeof step === 'string') await client.call('send', { terminalId, text: step, waitFor: { stableMs: 200 } })
    else await client.call('sendKeys', { terminalId, keys: [...step], waitFor: { stableMs: 300 } })
  }
  const { output } = await client.call('read', { terminalId, since: 0, raw: true, maxBytes: 1 << 20 })
  await client.call('close', { terminalId })
  return Buffer.from(output)
}

function prepare(): void {
  rmSync(folder, { recursive: true, force: true })
  for (const name of ['left', 'right']) mkdirSync(join(folder, name), { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  git('init', '-q', '-b', 'main')
  commit('Begin')
  commit('Add a poem')
  git('checkout', '-q', '-b', 'feature')
  commit('Try something')
  commit('Try harder')
  git('checkout', '-q', 'main')
  commit('Fix the poem')
  git('merge', '-q', '--no-ff', '-m', 'Merge the feature', 'feature')
  git('tag', 'v1.0')
}

let commits = 0

function commit(message: string): void {
  writeFileSync(join(folder, `file-${++commits}`), message)
  git('add', `file-${commits}`)
  git('commit', '-q', '-m', message)
}

function git(...args: readonly string[]): void {
  const date = `2026-01-01T00:00:${String(commits).padStart(2, '0')}Z`
  const who = { NAME: 'Ada', EMAIL: 'ada@example.org', DATE: date }
  const env = Object.fromEntries(
    Object.entries(who).flatMap(([key, value]) => [
      [`GIT_AUTHOR_${key}`, value],
      [`GIT_COMMITTER_${key}`, value],
    ]),
  )
  execFileSync('git', args, { cwd: folder, env: { ...process.env, ...env, GIT_CONFIG_GLOBAL: '/dev/null' } })
}

await main(process.argv.slice(2))
