/** Evaluates an agent: a program that speaks JSON lines plays a Harbor task three times, and the job reports how often it was right. */

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { readJobResult } from 'agentpty/gym'

const folder = mkdtempSync(join(tmpdir(), 'agentpty-evaluation-'))
const write = (path: string, text: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

write(
  'task/task.toml',
  'schema_version = "1.3"\nartifacts = ["/app/answer"]\n[verifier]\nenvironment_mode = "separate"\n',
)
write('task/instruction.md', 'How many lines has /etc/services that begin with "http"? Write the number into answer.\n')
write(
  'task/tests/test.sh',
  'test "$(cat /app/answer)" = "$(grep -c ^http /etc/services)" && echo 1 > /logs/verifier/reward.txt || echo 0 > /logs/verifier/reward.txt\n',
)
// It reads the screen of the terminal, and returns its input.
write(
  'agent.py',
  `import json, sys
def act(action):
    print(json.dumps(action), flush=True)
    return json.loads(sys.stdin.readline())
task = json.loads(sys.stdin.readline())
seen = act("grep -c ^http /etc/services")
act("echo " + seen["observation"].split()[0] + " > answer")
act({"type": "finish"})
`,
)

const program = join(dirname(createRequire(import.meta.url).resolve('agentpty')), '..', 'bin', 'agentpty.js')
const env = { ...process.env, AGENTPTY_HOME: join(folder, 'home') }
const agentpty = (...args: readonly string[]) =>
  execFileSync(process.execPath, [program, ...args], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
try {
  const where = ['--out', join(folder, 'jobs'), '--name', 'evaluation', '--attempts', '3']
  console.log(agentpty('gym', 'run', join(folder, 'task'), '--agent', `python3 ${join(folder, 'agent.py')}`, ...where))
  const stats = readJobResult(join(folder, 'jobs', 'evaluation'))?.stats
  console.log(`${stats?.n_completed_trials} trials: ${JSON.stringify(stats?.evals['python3__adhoc']?.metrics)}`)
  assert.equal(stats?.n_completed_trials, 3)
  assert.equal(stats?.n_errored_trials, 0)
} finally {
  agentpty('stop', '--all')
  rmSync(folder, { recursive: true, force: true })
}
