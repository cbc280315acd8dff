/** Terminus traces, played with and without their sleeping time. */

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** As models write them: a moment for fast commands, seconds for possibly slow ones. */
const commands: readonly (readonly [string, number])[] = [
  ['ls -la\n', 0.1],
  ['mkdir -p src && cd src\n', 0.1],
  ["cat > main.py <<'EOF'\nimport sys\nprint(sum(int(x) for x in sys.argv[1:]))\nEOF\n", 0.5],
  ['python3 main.py 1 2 3 > out.txt\n', 1],
  ['cat out.txt\n', 0.1],
  ['for i in $(seq 5); do sleep 0.1; echo $i >> log.txt; done\n', 2],
  ['python3 -q\n', 1],
  ['open("made.txt", "w").write(str(6 * 7))\n', 1],
  ['C-d', 0.5],
  ['tar -cf all.tar --mtime=2026-01-01 main.py out.txt log.txt made.txt\n', 2],
  ['tar -tf all.tar > list.txt; wc -l list.txt\n', 1],
  ['', 1],
]

/** Goal: half the time, the same files. */
export async function traces(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'agentpty-bench-traces-'))
  const env = { ...process.env, AGENTPTY_HOME: join(folder, 'home') }
  const program = resolve('packages/agentpty/bin/agentpty.js')
  const run = (...args: readonly string[]) => {
    try {
      return execFileSync(process.execPath, [program, ...args], { env, encoding: 'utf8' })
    } catch (error) {
      throw new Error(`agentpty ${args.join(' ')}: ${String((error as { stderr?: string }).stderr)}`)
    }
  }
  try {
    const steps = commands.map(([keystrokes, duration], at) => ({
      step_id: at + 2,
      source: 'agent',
      message: '',
      tool_calls: [
        { tool_call_id: `call_${at}_0`, function_name: 'bash_command', arguments: { keystrokes, duration } },
      ],
    }))
    const agent = { name: 'terminus-2', version: '2.0.0' }
    const trajectory = {
      schema_version: 'ATIF-v1.6',
      session_id: 'bench',
      agent,
      steps: [{ step_id: 1, source: 'user', message: 'Go.' }, ...steps],
    }
    const file = join(folder, 'trajectory.json')
    writeFileSync(file, JSON.stringify(trajectory))
    const fast = JSON.parse(run('gym', 'replay', file, '--json'))
    const slow = JSON.parse(run('gym', 'replay', file, '--legacy-sleep', '--json'))
    const same = fast.files === slow.files ? 'the same files' : 'OTHER FILES'
    const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`
    return `${commands.length} commands of Terminus in ${seconds(fast.durationMs)} in place of ${seconds(slow.durationMs)}, ${same} (goal: half the time)`
  } finally {
    run('stop', '--all')
    rmSync(folder, { recursive: true, force: true })
  }
}
