/**
 * The policy on words beside the gate: plays some 2,000 lines in terminals whose gate asks, and says for each rule of the policy how many lines
 * it stops, and how many of these the gate asks about, too. The lines really run and destroy files, so it runs in this sandbox alone:
 *
 *   npm run build
 *   sh bench/gate/sandbox.sh node $PWD/bench/gate/both.mjs [--only REGEX] [--part K/N] [--after ID] > played.jsonl
 *   node bench/gate/both.mjs --table played.jsonl
 *
 * `policy check` says what the policy thinks of each line, without and with a gate. Then a shell reads the line from a file, so the policy lets each
 * pass. Each question of the gate is denied. A line has a new home, a new workspace and a new terminal, and some seconds. `lost` names the guarded
 * files that a line has changed in spite of that. Several parts can be played at once, each in its own sandbox.
 */

import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { config, home, layHome, lostInHome, own, prepareHome, state, workspace } from './both-home.mjs'
import { lines } from './both-lines.mjs'
import { tableOf } from './both-table.mjs'
import { cliIn, program } from './run-cli.mjs'

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    part: { type: 'string', default: '1/1' },
    after: { type: 'string' },
    table: { type: 'string' },
  },
})
const lineMs = 3_000
const questionsMax = 20
/** One behind the other. */
const failuresMax = 3

/** All file systems are read-only or in memory, and there are no rights and no network. Errors: throws anywhere but in the sandbox of sandbox.sh. */
function checkSandbox() {
  const isWritable = (path) => {
    try {
      accessSync(path, constants.W_OK)
      return true
    } catch {
      // Read-only, or not ours.
      return false
    }
  }
  const first = readFileSync('/proc/1/cmdline', 'utf8').split('\0')[0]
  const mounts = readFileSync('/proc/self/mounts', 'utf8').trim().split('\n')
  const isInMemory = (path) => mounts.some((mount) => mount.startsWith(`tmpfs ${path} tmpfs`))
  const isSafe =
    process.getuid() !== 0 &&
    first.endsWith('bwrap') &&
    mounts.every((mount) => /^\S+ \S+ (?:tmpfs|proc|devpts) |^\S+ \/dev\/|^\S+ \S+ \S+ ro\b/.test(mount)) &&
    ['/home', '/srv', '/run', '/tmp', '/var/tmp'].every(isInMemory) &&
    !['/', '/etc', '/usr', '/var', '/root', import.meta.dirname].some(isWritable) &&
    readFileSync('/proc/net/route', 'utf8').trim().split('\n').length === 1
  if (!isSafe) throw new Error('The lines destroy files: run it by bench/gate/sandbox.sh.')
}

/** The rule and the verdict of the policy for each line, by its id. */
function judged(played, options, env) {
  const input = played.map(({ id, command, shell }) => JSON.stringify({ id, command, shell, cwd: workspace, home }))
  const args = [program, 'policy', 'check', '--jsonl', '--built-in', '--profile', 'standard', ...options]
  const { stdout, status, stderr } = spawnSync(process.execPath, args, {
    env,
    input: input.join('\n'),
    encoding: 'utf8',
    maxBuffer: 1e9,
  })
  if (status !== 0) throw new Error(stderr)
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  return new Map(answers.map(({ id, verdict, rule }) => [id, { verdict, rule }]))
}

const files = { bash: 'line.sh', sh: 'line.sh', zsh: 'line.zsh', fish: 'line.fish' }

/** Runs one line to its end, or for some seconds. */
async function play(client, { command, shell }, env) {
  layHome(command)
  const file = `${own}/${files[shell]}`
  writeFileSync(file, `${command}\n`)
  const asked = []
  let seen = await client.call('create', {
    command: [shell, file],
    cwd: workspace,
    env,
    gate: 'ask',
    waitFor: 'exit',
    waitTimeoutMs: lineMs,
  })
  const { terminalId, gate } = seen
  let output = seen.output ?? ''
  while (seen.outcome === 'needs_approval' && asked.length < questionsMax) {
    const { approvals } = await client.call('approvals', {})
    for (const { approvalId, resolved } of approvals) {
      asked.push(resolved)
      await client.call('decide', { approvalId, answer: 'deny' })
    }
    const waited = await client.call('wait', { terminalIds: [terminalId], waitFor: 'exit', waitTimeoutMs: lineMs })
    seen = waited.terminals[0]
    output += seen.output ?? ''
  }
  await client.call('close', { terminalId })
  const end = seen.exitCode === undefined ? seen.outcome : `exit ${seen.exitCode}`
  const kept = existsSync(`${state}/undo/${terminalId}`)
  return { gate: gate?.state, asked, kept, end, lost: lostInHome(), output: output.slice(-200) }
}

async function playAll() {
  checkSandbox()
  process.umask(0o022)
  mkdirSync(config, { recursive: true })
  writeFileSync(`${config}/config.yaml`, 'policy:\n  profile: off\n  gate: ask\n')
  prepareHome()
  layHome('')
  const env = { ...process.env, SHELL: '/bin/bash', GIT_PAGER: 'cat', PAGER: 'cat' }
  Object.assign(process.env, env)
  const [part, parts] = values.part.split('/').map(Number)
  const chosen = lines.filter(({ id }, index) => new RegExp(values.only ?? '').test(id) && index % parts === part - 1)
  chosen.splice(0, chosen.findIndex(({ id }) => id === values.after) + 1)
  const words = judged(chosen, [], env)
  const gated = judged(chosen, ['--gated'], env)
  const { connect } = await import('agentpty')
  let terminals = await connect()
  let failures = 0
  for (const line of chosen) {
    const known = { ...line, words: words.get(line.id), gated: gated.get(line.id) }
    const seen = await play(terminals.client, line, {}).catch((error) => ({ error: error.message }))
    console.log(JSON.stringify({ ...known, ...seen }))
    // A line has ended the daemon, perhaps.
    failures = seen.error === undefined ? 0 : failures + 1
    if (failures > failuresMax) throw new Error(`the sandbox is broken: ${seen.error}`)
    if (failures > 0) {
      layHome('')
      terminals = await connect()
    }
  }
  terminals.client.close?.()
  cliIn(env, home)('stop', '--all')
}

if (values.table === undefined) await playAll()
else
  console.log(
    tableOf(
      readFileSync(values.table, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ),
  )
process.exit(0)
