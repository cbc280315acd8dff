/**
 * What a person is asked while an agent works: ordinary commands in a terminal whose gate asks, with the default policy. Each question is
 * counted and allowed.
 *
 *   node bench/gate/questions.mjs [--only node,c] [--gate ask|off]          300 commands of five kinds of project
 *   node bench/gate/questions.mjs --lines FILE --cwd DIR --home DIR         the lines of a file, in a project that is there
 *
 * Prints each question, and each command that failed. The build is measured as it is: run `npm run build` first.
 */

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { McpStdio } from '../lib/mcp-stdio.mjs'
import { projects } from './projects.mjs'
import { cliIn, program } from './run-cli.mjs'

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    gate: { type: 'string', default: 'ask' },
    lines: { type: 'string' },
    cwd: { type: 'string' },
    home: { type: 'string' },
  },
})
const folder = mkdtempSync(join(tmpdir(), 'agentpty-bench-questions-'))
const home = values.home === undefined ? join(folder, 'home') : resolve(values.home)
// Tools that are installed below the real home are found there.
const env = {
  ...process.env,
  RUSTUP_HOME: process.env.RUSTUP_HOME ?? join(homedir(), '.rustup'),
  HOME: home,
  AGENTPTY_HOME: join(folder, 'state'),
  SHELL: '/bin/bash',
  // As agents set it: a pager waits for keys.
  GIT_PAGER: 'cat',
}
const commandMs = 120_000

const cli = cliIn(env, home)

const openApprovals = () => JSON.parse(cli('approvals', '--json')).approvals

/** Runs one command to its end. Returns what was asked meanwhile, and its exit code. */
async function play(agent, terminalId, command) {
  const asked = []
  const run = () =>
    agent.call('terminal_run', { terminalId, command, timeoutMs: commandMs }, commandMs + 10_000).then(
      ({ structuredContent }) => structuredContent,
      (error) => ({ error: error.message }),
    )
  let seen = await run()
  for (let tries = 0; tries < 10; tries++) {
    const open = openApprovals()
    if (open.length === 0) break
    for (const { approvalId, rule, resolved } of open) {
      asked.push(`${rule === 'effects' ? 'gate ' : 'words'}  ${resolved}`)
      cli('approvals', 'answer', approvalId, 'allow')
    }
    seen = seen.error === undefined ? await waited(agent, terminalId) : await run()
  }
  return { asked, end: seen.error ?? (seen.exitCode === 0 ? null : `exit code ${seen.exitCode ?? '?'}`) }
}

async function waited(agent, terminalId) {
  const { structuredContent } = await agent.call('terminal_wait', { terminalIds: [terminalId] }, commandMs)
  const [terminal] = structuredContent.terminals
  return { exitCode: terminal.exitCode ?? 0 }
}

async function playAll(agent, { name, cwd, commands }) {
  const { structuredContent } = await agent.call('terminal_create', { cwd, gate: values.gate })
  const { terminalId, gate } = structuredContent
  let questions = 0
  for (const command of commands) {
    const { asked, end } = await play(agent, terminalId, command)
    questions += asked.length
    for (const question of asked) console.log(`${name}: ${question}   (${command.split('\n')[0]})`)
    if (end !== null) console.log(`${name}: ${command.split('\n')[0]}: ${end}`)
  }
  await agent.call('terminal_close', { terminalId })
  console.log(`${name}: ${commands.length} commands, gate ${gate?.state ?? 'off'}, ${questions} questions`)
  return questions
}

function prepared({ name, prepare, commands }) {
  const cwd = join(home, name)
  mkdirSync(cwd)
  const { status, stderr } = spawnSync('bash', ['-ec', prepare], { cwd, env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${name}: ${stderr}`)
  return { name, cwd, commands }
}

function wanted() {
  if (values.lines !== undefined) {
    const commands = readFileSync(values.lines, 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '')
    return [{ name: 'lines', cwd: resolve(values.cwd ?? home), commands }]
  }
  const names = values.only?.split(',')
  return projects.filter(({ name }) => names?.includes(name) ?? true).map(prepared)
}

mkdirSync(home, { recursive: true })
mkdirSync(env.AGENTPTY_HOME)
if (values.home === undefined)
  writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = Ada\n\temail = ada@example.org\n')
const played = wanted()
const agent = new McpStdio(process.execPath, [program, 'mcp'], { env, cwd: home })
try {
  await agent.initialize()
  let questions = 0
  for (const project of played) questions += await playAll(agent, project)
  console.log(`${played.reduce((sum, { commands }) => sum + commands.length, 0)} commands: ${questions} questions`)
} finally {
  await agent.stop()
  cli('stop', '--all')
  rmSync(folder, { recursive: true, force: true })
}
