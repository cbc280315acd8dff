/** Every command line of README and docs, run in a clean home outside the checkout. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { documentedCalls } from '../../scripts/docs/documented-calls.ts'
import { needsProcess } from '../harness/command-line.ts'
import { type Instance, program, until } from '../harness/instance.ts'
import { scratchFolder, scratchInstance } from '../harness/scratch.ts'

const instance: Instance = scratchInstance({ AGENTPTY_HTTP_PORT: '0', DISPLAY: '', BROWSER: '' })
const folder = scratchFolder()

/** The names of terminals in the pages, with what runs in them. */
const terminals: Readonly<Record<string, readonly string[]>> = {
  editor: ['vim', '-u', 'NONE', 'note.txt'],
  server: ['sh', '-c', "echo 'Listening on 8080'; exec cat"],
  top: ['top'],
}
const shell = ['bash', '--norc', '--noprofile']
const isTerminal = (word: string) => /^(?:example-\d+|build|editor|server|top|agent|review|audit)$/.test(word)

beforeAll(() => {
  process.chdir(folder)
  writeFileSync('Makefile', 'all deploy test:\n\t@echo $@\n')
  writeFileSync('install', '#!/bin/sh\necho installed\n')
  chmodSync('install', 0o755)
  writeFileSync('my-agent.py', 'print("```\\n3\\n```")\ninput("> ")\n')
  mkdirSync('tasks')
  const cast = [{ version: 2, width: 80, height: 24 }, [0.1, 'o', 'hello\r\n'], [0.2, 'o', '$ ']]
  for (const name of ['build.cast', 'old.cast'])
    writeFileSync(name, cast.map((one) => `${JSON.stringify(one)}\n`).join(''))
})

/** Commands that keep running until a person leaves, and those that need a person's terminal or keyboard. */
const staysOpen = [/^(?:attach|mcp|tree(?! --once)|watch)\b/, /--(?:follow|watch)\b/, /^secret /]

/** The ids and names of an example that a clean home does not have. Their commands say so. */
const absent: readonly (readonly [call: RegExp, message: RegExp])[] = [
  [/^agent spawn (?:claude|codex) /, /There is no agent or command "(?:claude|codex)"/],
  [/^agent answer /, /has put no answer between fences/],
  [/^agent reply /, /shows no dialog/],
  [/^agent fork /, /was not started as an agent/],
  [/^agent resume /, /No agent "/],
  [/^agent kill /, /is the terminal of no agent/],
  [/^agent (?:message parent|inbox --take)/, /You run in no terminal of agentpty/],
  [/^report blocked/, /There is no terminal here to report in/],
  [/^needs dismiss /, /Nothing on the list has the id/],
  [/^approvals answer ap-/, /There is no approval ap-/],
  [/^approvals revoke gr-/, /There is no grant gr-1/],
  [/^devices (?:mute|revoke) dev-/, /There is no device "dev-/],
  [/^recordings rm /, /No recording "/],
  [/^(?:screen|recording) ID/, /No terminal "ID"/],
  [/^undo (?:--last|ID|term-)/, /There is nothing to undo/],
  [/^replay term-12/, /A recording is played in a terminal/],
  [/^replay build/, /A recording is played in a terminal/],
  [/^pipeline run audit.yaml/, /audit\.yaml cannot be read/],
  [/^pipeline (?:show|resume|cancel) run-/, /There is no run "run-/],
  [/^policy why au-/, /no such call is recorded/],
  [/^gym (?:replay|import|validate \.|run \.)/, /is not there|is no task|is missing/],
  [/^run -- rm -rf build/, /A person must allow this first \(deletion\)/],
  [/^serve$/, /A daemon runs already/],
]

/** Whole suites of tasks, and agents that need an account. tests/gym runs them on small ones. */
const takesHours = /^gym (?:bench|run|validate tty-30)/

async function prepare(words: readonly string[]): Promise<void> {
  // A name belongs to one terminal.
  const [verb] = words
  const given = words.find((_, at) => words[at - 1] === '--name' || (verb === 'rename' && at === 2))
  if (given !== undefined) await instance.cli('close', given)
  if (verb === 'new') return
  for (const name of words.slice(1).filter((word) => isTerminal(word) && word !== given)) {
    const isThere = (await instance.cli('screen', name)).code === 0
    if (!isThere) await instance.cli('new', '--name', name, '--', ...(terminals[name] ?? shell))
  }
}

/** The pages name terminals by their ids. Here they have names instead, because ids cannot be chosen. */
const here = (word: string): string => word.replace(/^term-(\d+)/, 'example-$1')

/** Runs it as a process that reads the text from a pipe. */
async function piped(args: readonly string[], input: string) {
  const child = spawn(process.execPath, [program, ...args], { env: instance.env, cwd: folder })
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) child[name].on('data', (bytes) => (output[name] += bytes))
  child.stdin.on('error', () => {}).end(input)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, ...output }
}

const readsInput = /(?:^policy check| -$)/

async function run(args: readonly string[], line: string) {
  const [, text] = / --for text:(.*?)(?: --|$)/.exec(line) ?? []
  if (text !== undefined) return waits(args, text)
  if (readsInput.test(line)) return piped(args, '{"id": "1", "command": "ls"}\n')
  return needsProcess(args) ? piped(args, '') : instance.cli(...args)
}

/** Policy lets no terminal look at the approvals: a person has a terminal outside. */
async function firstOutput(args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [program, ...args], { env: instance.env, stdio: ['pipe', 'pipe', 'inherit'] })
  const [bytes] = await once(child.stdout, 'data')
  child.kill('SIGINT')
  await once(child, 'close')
  return String(bytes)
}

/** Only what comes after the start of a wait counts. */
async function waits(args: readonly string[], text: string) {
  let isOver = false
  const ending = instance.cli(...args).finally(() => {
    isOver = true
  })
  await until(async () => {
    await instance.cli('send', args[1] ?? '', `echo ${text}`)
    return isOver
  })
  return ending
}

/** Returns the screen of a terminal that runs it. */
async function screenOf(args: readonly string[]): Promise<string> {
  if (args[0] === 'approvals') return firstOutput(args)
  const client = await instance.rpc({}, { isPerson: true })
  const command = [process.execPath, program, ...args]
  const waitFor = [{ pattern: String.raw`\S` }, 'ready' as const, 'exit' as const]
  const { terminalId } = await client.call('create', { command, cwd: folder, waitFor })
  const { stdout } = await instance.cli('screen', terminalId)
  await client.call('close', { terminalId })
  return stdout
}

const calls = [...new Map(documentedCalls.map((call) => [call.line, call])).values()]

test.each(calls.filter(({ line }) => !takesHours.test(line)))('agentpty $line', async ({ words, line }) => {
  const args = words.map(here)
  await instance.status()
  await prepare(args)
  if (staysOpen.some((call) => call.test(line))) return expect(await screenOf(args)).not.toMatch(/^agentpty: /m)
  const { code, stdout, stderr } = await run(args, line)
  const missing = absent.find(([call]) => call.test(line))
  // `:wq` ends the program, which the exit code reports.
  if (missing === undefined) expect([code, stderr]).toEqual([line.startsWith('keys editor') ? 5 : 0, ''])
  else {
    expect(code).not.toBe(0)
    expect(stdout + stderr).toMatch(missing[1])
  }
})
