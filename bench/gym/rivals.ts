/**
 * The equivalent of a step in other systems on this machine, next to ours: Terminus types into tmux and sleeps, SWE-ReX types through pexpect.
 * Their patterns, not their packages: the same calls in the same order to the same tools.
 */

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { makeEnv } from 'agentpty/gym'
import { quantiles } from '../page/scene.ts'

const stepsEach = 30
/** The default of Terminus, and its recommendation for commands that end immediately. */
const durations = [0.1, 1] as const
/** The duration of every other command in seconds, so that a guessed sleep can be wrong. */
const lasting = 0.3

/** A command whose result is known to be seen or not. */
const commandOf = (number: number) => `${number % 2 === 0 ? '' : `sleep ${lasting}; `}echo done-$((${number}+1000))`
const resultOf = (number: number) => `done-${number + 1_000}`

/** For each: the duration of a step with a fast and with a slow command, and the number of missing results. */
export async function rivals(): Promise<string> {
  const lines = [await ours()]
  for (const duration of durations) lines.push(await terminus(duration))
  lines.push(swerex())
  return lines.join('\n  ')
}

class Tally {
  readonly #short: number[] = []
  readonly #long: number[] = []
  #stale = 0

  note(number: number, { ms, seen }: { readonly ms: number; readonly seen: string }): void {
    const times = number % 2 === 0 ? this.#short : this.#long
    times.push(ms)
    if (!seen.includes(resultOf(number))) this.#stale++
  }

  words(name: string): string {
    const count = this.#short.length + this.#long.length
    return `${name}: echo ${quantiles(this.#short)} ms; after ${lasting} s ${quantiles(this.#long)} ms; stale ${this.#stale} of ${count}`
  }
}

async function ours(): Promise<string> {
  const tally = new Tally()
  await using env = await makeEnv()
  await env.reset()
  await env.step('true')
  for (let number = 0; number < stepsEach; number++) {
    const started = performance.now()
    const { observation } = await env.step(commandOf(number))
    tally.note(number, { ms: performance.now() - started, seen: observation })
  }
  return tally.words('agentpty')
}

/** `send-keys`, a sleep, and two captures: the visible screen and all that has scrolled away. */
async function terminus(duration: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'agentpty-bench-tmux-'))
  const tmux = (...args: readonly string[]) => execFileSync('tmux', ['-S', join(folder, 'socket'), ...args]).toString()
  if (spawnSync('tmux', ['-V']).status !== 0) return 'Terminus: tmux is not here'
  try {
    tmux('new-session', '-x', '160', '-y', '40', '-d', '-s', 't', 'bash --norc')
    const tally = new Tally()
    for (let number = 0; number < stepsEach; number++) {
      const started = performance.now()
      tmux('send-keys', '-t', 't', commandOf(number), 'Enter')
      await pause(duration * 1_000)
      const seen = tmux('capture-pane', '-p', '-S', '-', '-t', 't') + tmux('capture-pane', '-p', '-t', 't')
      tally.note(number, { ms: performance.now() - started, seen })
    }
    return tally.words(`Terminus, duration ${duration}`)
  } finally {
    spawnSync('tmux', ['-S', join(folder, 'socket'), 'kill-server'])
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Like its bash session: a check of the syntax, the line, its prompt, and a second line for the exit code. */
const pexpectSteps = `
import json, subprocess, sys, time
try:
    import pexpect
except ImportError:
    sys.exit(3)
shell = pexpect.spawn('/usr/bin/env bash --norc', encoding='utf-8', echo=False, env={'PS1': 'SHELLPS1PREFIX', 'PATH': '/usr/bin:/bin'})
time.sleep(0.3)
shell.sendline("export PS1='SHELLPS1PREFIX'; export PS2=''")
shell.expect('SHELLPS1PREFIX', timeout=5)
results = []
for command in json.load(sys.stdin):
    started = time.perf_counter()
    subprocess.run("/usr/bin/env bash -n << 'EOF'\\n" + command + "\\nEOF", shell=True, capture_output=True)
    shell.sendline(command)
    shell.expect('SHELLPS1PREFIX', timeout=10)
    seen = shell.before
    shell.sendline('\\necho EXITCODESTART$?EXITCODEEND')
    shell.expect('EXITCODEEND', timeout=5)
    seen += shell.before
    try:
        shell.expect('SHELLPS1PREFIX', timeout=0.1)
    except pexpect.TIMEOUT:
        pass
    results.append([(time.perf_counter() - started) * 1000, seen])
print(json.dumps(results))
`

function swerex(): string {
  const commands = Array.from({ length: stepsEach }, (_, number) => commandOf(number))
  const { status, stdout, stderr } = spawnSync('python3', ['-c', pexpectSteps], { input: JSON.stringify(commands) })
  if (status === 3) return 'SWE-ReX: pexpect is not here'
  if (status !== 0) throw new Error(stderr.toString())
  const tally = new Tally()
  const results = JSON.parse(stdout.toString()) as readonly (readonly [number, string])[]
  for (const [number, [ms, seen]] of results.entries()) tally.note(number, { ms, seen })
  return tally.words('SWE-ReX')
}
