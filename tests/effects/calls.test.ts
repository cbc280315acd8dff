/**
 * Every system call that the gate traps and that is about a file, in every state that the gate can have for it. The calls without a gate are the
 * reference: a call that is free or allowed must change what it changes there, and any other call nothing. As root the host is in a mount name space
 * of its own, and the calls that mount are among them.
 */

import { execFileSync } from 'node:child_process'
import { chmodSync, closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { HostLink } from '@agentpty/engine/ptyhost'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { descendantsOf, hostProgram, open, openHost, type TestHost } from '../harness/host-fixture.ts'
import { isAlive, until } from '../harness/instance.ts'
import { scratchFolder } from '../harness/scratch.ts'
import { GatedTerminal } from './gated-terminal.ts'

const isRoot = process.getuid?.() === 0
const title = isRoot ? 'mounts included' : 'without mounts, which need root'
const { EACCES, ENOSYS } = constants.errno
const longMs = 600_000

/** Newer calls, which the gate refuses: programs then make the older ones. */
const refused = ['setxattrat', 'removexattrat', 'file_setattr']
/** Trapped calls that are not about a file, and one that only a sandbox makes: see sandboxes.test.ts. */
const withoutFile = ['umask', 'unshare', 'setns', 'landlock_restrict_self', 'io_uring_setup', 'pivot_root']

/** A row of the program: the name of its call, its label, the number of the call, and its kind. */
interface Row {
  readonly name: string
  readonly label: string
  readonly number: number
  readonly kind: string
}

/** The lines that the program prints, by the label of their row. */
type Lines = ReadonlyMap<string, string>

const built = scratchFolder()
const program = join(built, 'calls')
const hostInOwnMounts = join(built, 'host')

let host: TestHost
let rows: readonly Row[]
let reference: Lines

beforeAll(async () => {
  execFileSync('cc', ['-O2', '-w', '-o', program, new URL('calls.c', import.meta.url).pathname])
  writeFileSync(hostInOwnMounts, `#!/bin/sh\nexec unshare --mount --propagation private "${hostProgram}" "$@"\n`)
  chmodSync(hostInOwnMounts, 0o755)
  host = await openOwnHost()
  const lines = execFileSync(program, ['names'], { encoding: 'utf8' }).trim().split('\n')
  rows = lines
    .map((line) => line.split(' '))
    .map(([name = '', label = '', number, kind = '']) => ({ name, label, number: Number(number), kind }))
  const scene = new Scene(join(built, 'reference'))
  reference = await scene.run({ gate: '', folder: scene.guarded }, async () => {})
})
afterAll(() => host.stop())

const openOwnHost = () => openHost(isRoot ? hostInOwnMounts : hostProgram)

/** Folders of a test: a free one, and one in which everything is asked about. */
class Scene {
  readonly home: string
  readonly free: string
  readonly guarded: string

  constructor(home = scratchFolder()) {
    this.home = home
    this.free = join(home, 'free')
    this.guarded = join(home, 'guarded')
    for (const folder of [this.free, this.guarded, this.other]) mkdirSync(folder, { recursive: true })
  }

  /** Where calls with a second path move and link to. It is free. */
  get other(): string {
    return join(this.free, 'other')
  }

  gate(deadlineMs = longMs): string {
    const rows = [`free ${this.free}`, 'free /dev', `guarded ${this.guarded}`, `elsewhere ${this.home}`]
    return [`asks ${deadlineMs}`, ...rows, ''].join('\n')
  }

  async start(link: HostLink, gate: string, ...words: readonly string[]) {
    const { id, pty } = await open(link, [program, ...words], { env: { HOME: this.home }, cwd: this.free, gate })
    return { id, terminal: new GatedTerminal(pty) }
  }

  async prepare(folder: string, link = host.link): Promise<void> {
    const { terminal } = await this.start(link, '', 'prepare', folder, this.other)
    expect([await terminal.recorder.exit, terminal.text]).toMatchObject([{ code: 0 }, ''])
    await close(terminal)
  }

  /** Makes the files, then the calls, while `answer` answers the questions. */
  async run(
    { gate, folder, kind = isRoot ? 'all' : 'files' }: { gate: string; folder: string; kind?: string },
    answer: (terminal: GatedTerminal) => Promise<void>,
  ): Promise<Lines> {
    await this.prepare(folder)
    const { terminal } = await this.start(host.link, gate, 'run', folder, this.other, kind)
    await answer(terminal)
    await terminal.recorder.exit
    await close(terminal)
    return linesOf(terminal)
  }

  /** The calls in the guarded folder. The program waits for a step before each call, and for another one after its process has ended. */
  async runInSteps(link: HostLink) {
    await this.prepare(this.guarded, link)
    const pipe = join(this.free, 'steps')
    execFileSync('mkfifo', [pipe])
    const steps = openSync(pipe, 'r+')
    onTestFinished(() => closeSync(steps))
    const kind = isRoot ? 'all' : 'files'
    const { id, terminal } = await this.start(link, this.gate(), 'run', this.guarded, this.other, kind, pipe)
    return { id, terminal, step: () => void writeSync(steps, '.') }
  }
}

const close = (terminal: GatedTerminal) => terminal.pty.close({ graceMs: 100, leaveDaemons: false })

function linesOf({ text }: GatedTerminal): Lines {
  const lines = text.split('\r\n').filter((line) => line !== '')
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(' ')), line]))
}

/** An empty folder is free everywhere. */
const isAsked = ({ name }: Row) => !refused.includes(name) && !['mkdir', 'mkdirat'].includes(name)

const rowsHere = () => rows.filter(({ label }) => reference.has(label))

/** The table that a run must print. */
function expected(lineOf: (row: Row) => string, of = rowsHere()): Lines {
  const refusedLine = ({ label }: Row) => `${label} -1 ${ENOSYS} unchanged`
  const line = (row: Row) =>
    isAsked(row) ? lineOf(row) : refused.includes(row.name) ? refusedLine(row) : doneLine(row)
  return new Map(of.map((row) => [row.label, line(row)]))
}

/** The gate makes the call also where the kernel is too old for it. */
function doneLine({ name, label }: Row): string {
  const line = reference.get(label) ?? ''
  if (name !== 'fchmodat2' || !line.includes(` -1 ${ENOSYS} `)) return line
  return (reference.get('fchmodat') ?? '').replace('fchmodat', label)
}

const deniedLine = ({ label }: Row) => `${label} -1 ${EACCES} unchanged`

/** Answers each question until the program ends. */
async function answerAll(terminal: GatedTerminal, answer: 'allow' | 'deny'): Promise<void> {
  const answered = new Set<number>()
  let hasEnded = false
  void terminal.recorder.exit.then(() => {
    hasEnded = true
  })
  await until(() => {
    for (const { id } of terminal.questions.filter((one) => one.answer === 'open' && !answered.has(one.id))) {
      terminal.pty.answerGate({ kind: 'answer', id, answer })
      answered.add(id)
    }
    return hasEnded
  })
}

// gate.test.ts has the sockets that programs bind.
test('every call of the gate that is about a file is made', () => {
  const source = readFileSync('native/ptyhost/src/gate_calls_linux.c', 'utf8')
  const trapped = [...source.matchAll(/^\t\{\w+, "(\w+)", GATE_(?!BIND|CONNECT|SIGNAL|TRACE)/gm)].map(
    ([, name = '']) => name,
  )
  const made = new Set(rows.map(({ name }) => name))
  expect([...made].sort()).toEqual(trapped.filter((name) => !withoutFile.includes(name)).sort())
})

test(`without a gate every call changes something, ${title}`, () => {
  const lines = [...reference.values()]
  const isNewer = (line: string) => line.includes(` -1 ${ENOSYS} `) && /^(fchmodat2|\w+xattrat|file_setattr)/.test(line)
  expect(lines.filter((line) => !isNewer(line) && !/^\S+ (0|descriptor\S*) 0 (?!unchanged)/.test(line))).toEqual([])
  expect(lines.length).toBeGreaterThan(30)
})

describe('a call', () => {
  test('in a free folder is made as without a gate, and no person is asked', async () => {
    const scene = new Scene()
    const questions: unknown[] = []
    const lines = await scene.run({ gate: scene.gate(), folder: scene.free, kind: 'files' }, async (terminal) => {
      await terminal.recorder.exit
      questions.push(...terminal.questions)
    })
    const files = rowsHere().filter(({ kind }) => kind === 'file')
    expect([lines, questions]).toEqual([expected(doneLine, files), []])
  })

  test.runIf(isRoot)('that mounts in a mount name space of its own is made, and no person is asked', async () => {
    const scene = new Scene()
    const questions: unknown[] = []
    const lines = await scene.run({ gate: scene.gate(), folder: scene.guarded, kind: 'inner' }, async (terminal) => {
      await terminal.recorder.exit
      questions.push(...terminal.questions)
    })
    const mounts = rowsHere().filter(({ kind }) => kind === 'mount')
    expect([lines, questions]).toEqual([expected(doneLine, mounts), []])
  })

  test(`that is allowed is made as without a gate, ${title}`, async () => {
    const scene = new Scene()
    const lines = await scene.run({ gate: scene.gate(), folder: scene.guarded }, (one) => answerAll(one, 'allow'))
    expect(lines).toEqual(expected(doneLine))
  })

  test(`that is denied fails and changes nothing, ${title}`, async () => {
    const scene = new Scene()
    const lines = await scene.run({ gate: scene.gate(), folder: scene.guarded }, (one) => answerAll(one, 'deny'))
    expect(lines).toEqual(expected(deniedLine))
  })

  test(`without an answer fails at the deadline and changes nothing, ${title}`, async () => {
    const scene = new Scene()
    let count = 0
    const lines = await scene.run({ gate: scene.gate(10), folder: scene.guarded }, async (terminal) => {
      await terminal.recorder.exit
      await until(() => terminal.questions.every(({ answer }) => answer === 'expired'))
      count = terminal.questions.length
    })
    expect(lines).toEqual(expected(deniedLine))
    expect(count).toBe(rowsHere().filter(isAsked).length)
  })

  test(`whose program is killed changes nothing, and the gate serves the next program, ${title}`, async () => {
    const scene = new Scene()
    const { terminal, step } = await scene.runInSteps(host.link)
    for (const row of rowsHere()) {
      step()
      if (isAsked(row)) {
        const { pid } = await terminal.question()
        process.kill(pid, 'SIGKILL')
        await until(() => !isAlive(pid))
        await terminal.answer('allow')
      }
      step()
      await until(() => linesOf(terminal).has(row.label))
    }
    await terminal.recorder.exit
    await close(terminal)
    expect(linesOf(terminal)).toEqual(expected(({ label }) => `${label} killed 0 unchanged`))
  })

  test(`stays held without an owner of the gate, and the next owner can allow it, ${title}`, async () => {
    const scene = new Scene()
    const own = await openOwnHost()
    onTestFinished(() => rmSync(dirname(own.socket), { recursive: true, force: true }))
    let { link } = own
    let { id, terminal, step } = await scene.runInSteps(link)
    for (const row of rowsHere()) {
      const { pid } = link
      link.disconnect()
      step()
      if (isAsked(row)) await until(() => isHeld(pid, row.number))
      link = await claim(own.socket)
      terminal = new GatedTerminal(link.find(id))
      if (isAsked(row)) {
        terminal.pty.answerGate({ kind: 'list' })
        await terminal.question()
        expect(linesOf(terminal).has(row.label)).toBe(false)
        await terminal.answer('allow')
      }
      step()
      await until(() => linesOf(terminal).has(row.label))
    }
    await terminal.recorder.exit
    await link.shutdown()
    expect(linesOf(terminal)).toEqual(expected(doneLine))
  })
})

/** True when a process below the host is in this call. */
function isHeld(hostPid: number, number: number): boolean {
  return descendantsOf(hostPid).some((pid) => {
    try {
      return readFileSync(`/proc/${pid}/syscall`, 'utf8').startsWith(`${number} `)
    } catch {
      // Ended meanwhile.
      return false
    }
  })
}

/** Becomes the next owner of a host, once the owner before has gone. */
async function claim(socket: string): Promise<HostLink> {
  for (;;) {
    const { link, hello } = await HostLink.connect(socket, () => undefined)
    if (hello.granted) return link
    link.disconnect()
  }
}
