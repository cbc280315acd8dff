/**
 * The unit tests and the oracles of ptyhost for aarch64: built by zig, and run by the user-mode emulator of qemu. Parts that it cannot run are named in the
 * output, and make no failure.
 */
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { provideZig } from './prebuilds/zig.ts'

const native = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', 'native', 'ptyhost')
const build = 'build/aarch64'
const programs: readonly (readonly string[])[] = [
  ['test/units', '1', 'emulated'],
  ['test/paths_oracle'],
  ['test/table_oracle'],
]

try {
  const emulator = findEmulator()
  compile()
  for (const [program = '', ...args] of programs) {
    say(program)
    if (run(emulator, [`${build}/${program}`, ...args]) !== 0) throw new Error(`${program} fails on aarch64`)
  }
  sayWhatIsLeftOut(emulator)
} catch (error) {
  say(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}

function findEmulator(): string {
  const names = ['qemu-aarch64-static', 'qemu-aarch64']
  const found = names.find((name) => spawnSync(name, ['--version']).status === 0)
  if (found === undefined) throw new Error('there is no qemu-aarch64. Install it: apt-get install qemu-user-static')
  return found
}

function compile(): void {
  const zig = provideZig(say)
  const wanted = ['ptyhost', ...programs.map(([program]) => program)].map((name) => `${build}/${name}`)
  const compiler = `CC='${zig.program}' cc -target aarch64-linux-musl -static`
  const args = ['-s', '-C', native, `BUILD=${build}`, 'SYSTEM=linux', compiler, ...wanted]
  const { status } = spawnSync('make', args, { env: zig.env, stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) throw new Error('it does not compile for aarch64; zig says above where')
}

function run(emulator: string, args: readonly string[]): number | null {
  return spawnSync(emulator, [...args], { cwd: native, stdio: ['ignore', 'inherit', 'inherit'] }).status
}

/** The gate itself needs a kernel that hands over the calls of emulated programs. */
function sayWhatIsLeftOut(emulator: string): void {
  const { stdout } = spawnSync(emulator, [`${build}/ptyhost`, '--gate-check'], { cwd: native, encoding: 'utf8' })
  say(
    `not run in ${emulator}: programs behind a gate, whose filter the emulator does not install (its answer: ${stdout.trim()})`,
  )
}

function say(text: string): void {
  process.stderr.write(`test:aarch64: ${text}\n`)
}
