/**
 * The package as a user gets it: packed, installed into an empty folder, on a machine without a compiler.
 *
 * Without prebuilds of these sources, the ptyhost of the checkout is packed instead of the one for this
 * machine: the test covers the package itself. Nothing is downloaded.
 */

import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import type { Finding } from '@agentpty/protocol/setup'
import { beforeAll, expect, test } from 'vitest'
import { problemsOf } from '../../scripts/prebuilds/targets.ts'
import type { Finished } from '../harness/command-line.ts'
import { processesWith, run, until, writeUserFiles } from '../harness/instance.ts'
import { scratchFolder } from '../harness/scratch.ts'

const source = resolve('packages/agentpty')
const machine = `${process.platform}-${process.arch}`
const compilers = /(^|-)(cc|c\+\+|gcc|g\+\+|clang|clang\+\+|cpp|tcc|c89|c99|make|gmake|zig)(-[\d.]+)?$/

const opensTerminal = `
  import { openEngine } from 'agentpty'
  const engine = await openEngine()
  const { output } = await engine.client.call('run', { command: 'echo $((6 * 7)); tty' })
  await engine.close()
  console.log(output)
`
const inTerminal = expect.stringMatching(/^42\n\/dev\/pts\/\d+\n$/)
const printsError = `
  import { openEngine } from 'agentpty'
  const { code, message, hint } = await openEngine().catch((error) => error)
  console.log(JSON.stringify({ code, message, hint }))
`

/** Disables npm's check for a newer version. */
const quietNpm = { NPM_CONFIG_UPDATE_NOTIFIER: 'false' }

const folder = scratchFolder()
/** A project with the package installed, and this machine's programs except its compilers. */
const project = join(folder, 'project')
const programs = join(folder, 'bin')

beforeAll(async () => {
  linkPrograms(programs)
  const tarballs = [await pack(copyOfPackage()), await pack(resolve('node_modules/zod'))]
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }\n')
  const installed = await npm(project, 'install', '--offline', '--no-audit', '--no-fund', ...tarballs)
  expect(installed).toMatchObject({ code: 0 })
})

test('an installed package opens a terminal without a compiler', async () => {
  const user = new User()
  expect(await user.node(opensTerminal)).toEqual({ code: 0, stdout: inTerminal, stderr: '' })
  const { stdout } = await user.npx('doctor', '--json')
  const { findings } = JSON.parse(stdout) as { findings: Finding[] }
  const found = Object.fromEntries(findings.map(({ name, mark, found }) => [name, `${mark}: ${found}`]))
  expect(found['ptyhost']).toBe(`ok: ${join(project, `node_modules/agentpty/prebuilds/${machine}/ptyhost`)}`)
  expect(found['terminal']).toMatch(/^ok: a command ran/)
  expect(existsSync(join(project, 'node_modules/agentpty/dist/terminal-view.html'))).toBe(true)
  expect(await user.leave()).toEqual([])
})

test('without a ptyhost and without a compiler it names what to install, and shows no stack', async () => {
  const user = new User({ project: projectWithoutPrebuilds('bare') })
  const { code, message, hint } = JSON.parse((await user.node(printsError)).stdout)
  expect(code).toBe('host_missing')
  expect(message).toBe(`The package has no ptyhost for ${machine}, and building one failed: make is not installed.`)
  expect(hint).toContain('Install a C compiler and make')
  expect(hint).toContain('AGENTPTY_PTYHOST')
  expect(await user.npx('ls')).toEqual({ code: 1, stdout: '', stderr: `agentpty: ${message}\n${hint}\n` })
  const doctor = await user.npx('doctor')
  expect(doctor.stdout).toContain(`  wrong  ptyhost         ${message}\n${' '.repeat(25)}→ ${hint}\n`)
  expect(doctor.stdout + doctor.stderr).not.toMatch(/^ +at /m)
  expect(await user.leave()).toEqual([])
})

test('without a ptyhost but with a compiler it builds one, once', async () => {
  const user = new User({ project: projectWithoutPrebuilds('building'), path: process.env['PATH'] ?? '' })
  expect(await user.node(opensTerminal)).toMatchObject({ code: 0, stdout: inTerminal })
  const [built, ...others] = readdirSync(join(user.home, 'cache'))
  expect(built).toMatch(new RegExp(`^ptyhost-.*-${machine}$`))
  expect(others).toEqual([])
  // From here on no compiler is needed.
  user.path = programs
  expect(await user.node(opensTerminal)).toMatchObject({ code: 0, stdout: inTerminal })
  expect(await user.leave()).toEqual([])
})

/** A person with their own home, working in a project. */
class User {
  readonly home = mkdtempSync(join(folder, 'home-'))
  readonly project: string
  path: string

  constructor(options: { readonly project?: string; readonly path?: string } = {}) {
    writeUserFiles(this.home)
    this.project = options.project ?? project
    this.path = options.path ?? programs
  }

  get env(): Readonly<Record<string, string>> {
    const home = { HOME: this.home, AGENTPTY_HOME: this.home }
    return { ...quietNpm, ...home, PATH: this.path, SHELL: '/bin/bash', LANG: 'C.UTF-8' }
  }

  node(script: string): Promise<Finished> {
    return run(process.execPath, ['--input-type=module', '--eval', script], this.env, { cwd: this.project })
  }

  /** Starts it as an agent's client does. */
  npx(...args: readonly string[]): Promise<Finished> {
    return run('npx', ['--offline', 'agentpty', ...args], this.env, { cwd: this.project })
  }

  /** Ends everything; returns the processes left. */
  async leave(): Promise<readonly number[]> {
    await this.npx('stop', '--all')
    const left = () => processesWith(`AGENTPTY_HOME=${this.home}`)
    await until(() => left().length === 0)
    return left()
  }
}

function npm(cwd: string, ...args: readonly string[]): Promise<Finished> {
  return run('npm', args, { ...quietNpm, PATH: programs, HOME: folder }, { cwd })
}

/** Packs a package without running its scripts, so that nothing is built here. */
async function pack(from: string): Promise<string> {
  const packed = await npm(folder, 'pack', '--ignore-scripts', '--json', '--pack-destination', folder, from)
  expect(packed).toMatchObject({ code: 0 })
  const [{ filename }] = JSON.parse(packed.stdout)
  return join(folder, filename)
}

function copyOfPackage(): string {
  const copy = join(folder, 'agentpty')
  cpSync(source, copy, { recursive: true, filter: (path) => path !== join(source, 'src') })
  if (problemsOf(join(source, 'prebuilds'), resolve('native/ptyhost')).length > 0) {
    const prebuilt = join(copy, 'prebuilds', machine)
    mkdirSync(prebuilt, { recursive: true })
    copyFileSync(join(source, 'dist/ptyhost'), join(prebuilt, 'ptyhost'))
  }
  return copy
}

function projectWithoutPrebuilds(name: string): string {
  const copy = join(folder, name)
  cpSync(project, copy, { recursive: true, verbatimSymlinks: true })
  rmSync(join(copy, 'node_modules/agentpty/prebuilds'), { recursive: true })
  return copy
}

function linkPrograms(into: string): void {
  mkdirSync(into)
  symlinkSync(process.execPath, join(into, 'node'))
  const taken = new Set(['node'])
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    for (const name of namesIn(folder)) {
      if (compilers.test(name) || taken.has(name)) continue
      taken.add(name)
      symlinkSync(join(folder, name), join(into, name))
    }
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    // A PATH may name missing folders.
    return []
  }
}
