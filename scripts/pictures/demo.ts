/** The moving picture of README: records the demo in a terminal of agentpty, and exports the recording. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')
const target = path.join(root, 'docs', 'pictures', 'demo.svg')
/** The pause before each step. */
const paceMs = '1200'

/** The programs of the system: those that a user has installed would show their folders in the picture. */
const programs = ['/usr/bin', '/bin', path.dirname(process.execPath)].join(path.delimiter)

function run(home: string, args: readonly string[]): string {
  const program = path.join(root, 'packages', 'agentpty', 'bin', 'agentpty.js')
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, AGENTPTY_HOME: home },
  })
  if (status !== 0) throw new Error(`agentpty ${args[0]} failed: ${stderr}`)
  return stdout.trim()
}

export function recordDemo(): void {
  const home = mkdtempSync(path.join(tmpdir(), 'agentpty-pictures-'))
  const agentpty = (...args: readonly string[]) => run(home, args)
  try {
    const demo = [process.execPath, '--import', 'tsx', 'scripts/demo.ts', '--pace', paceMs]
    const environment = ['env', `PATH=${programs}`, 'FORCE_COLOR=1']
    process.stdout.write('recording the demo, about 20 s\n')
    const id = agentpty('new', '--record', '--size', '100x28', '--', ...environment, ...demo)
    agentpty('wait', id, '--for', 'exit', '--timeout', '120000')
    agentpty('export', id, '--to', target)
  } finally {
    agentpty('stop', '--all')
    rmSync(home, { recursive: true, force: true })
  }
}
