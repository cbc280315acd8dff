/** People at terminals: `attach` and `watch`, run in terminals themselves so that a test can use them. */

import { writeFileSync } from 'node:fs'
import { type Engine, openEngine } from 'agentpty'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Instance, program, until } from '../harness/instance.ts'
import { scratchInstance } from '../harness/scratch.ts'

let instance: Instance
/** The terminals that people use. */
let people: Engine
beforeEach(async () => {
  instance = scratchInstance()
  people = await openEngine({ approve: () => true })
})
afterEach(async () => {
  await people.close()
})

/** A person who runs `agentpty ARGS` in a window of this size. */
class Person {
  readonly terminalId: string

  private constructor(terminalId: string) {
    this.terminalId = terminalId
  }

  static async runs(size: { cols: number; rows: number }, ...args: readonly string[]): Promise<Person> {
    // A program that reports to run in a terminal of agentpty is not a person.
    const command = ['env', '-u', 'AGENTPTY_TERMINAL', process.execPath, program, ...args]
    const { terminalId } = await people.client.call('create', {
      command,
      env: { ...instance.env },
      ...size,
      waitFor: 'none',
    })
    return new Person(terminalId)
  }

  async screen(): Promise<string> {
    return (await people.client.call('screenshot', { terminalId: this.terminalId, format: 'plain' })).screen
  }

  async title(): Promise<string | undefined> {
    return (await people.client.call('screenshot', { terminalId: this.terminalId, format: 'plain' })).title
  }

  /** All output drawn in the window, in order. */
  async output(): Promise<string> {
    const { terminalId } = this
    return (await people.client.call('read', { terminalId, since: 0, raw: true, maxBytes: 1_000_000 })).output
  }

  /** Waits until the window shows it, and returns that screen: the next one may be half drawn. */
  async sees(want: RegExp): Promise<string> {
    let screen = ''
    await until(async () => {
      screen = await this.screen()
      return want.test(screen)
    })
    return screen
  }

  async types(text: string): Promise<void> {
    await people.client.call('send', { terminalId: this.terminalId, text, newline: false, waitFor: 'none' })
  }

  async presses(...keys: readonly string[]): Promise<void> {
    await people.client.call('sendKeys', { terminalId: this.terminalId, keys: [...keys], waitFor: 'none' })
  }

  /** Reports of the mouse, as the window's terminal sends them: cells count from 1. */
  async points(report: string, times = 1): Promise<void> {
    const data = Buffer.from(`\x1b[<${report}`.repeat(times)).toString('base64')
    await people.client.call('write', { terminalId: this.terminalId, data })
  }

  async resizes(cols: number, rows: number): Promise<void> {
    await people.client.call('resize', { terminalId: this.terminalId, cols, rows })
  }

  async leaves(): Promise<{ readonly output: string; readonly exitCode: number | undefined }> {
    const { output, exitCode } = await people.client.call('read', { terminalId: this.terminalId, waitFor: 'exit' })
    return { output, exitCode }
  }
}

async function shell(name: string, size = '80x24'): Promise<void> {
  await instance.cli('new', '--name', name, '--size', size, '--wait', 'ready')
}

const sizeOf = async (name: string) => (await instance.cli('run', '--in', name, 'stty size')).stdout.trim()

describe('attach', () => {
  test('shows the current screen, takes keys, and leaves the terminal running', async () => {
    await shell('one')
    await instance.cli('send', 'one', 'echo before')
    const person = await Person.runs({ cols: 80, rows: 24 }, 'attach', 'one')
    await person.sees(/^before$/m)
    await person.types('echo typed-$((40+2))')
    await person.presses('enter')
    await person.sees(/^typed-42$/m)
    await person.presses('ctrl+]', 'd')
    expect(await person.leaves()).toMatchObject({ exitCode: 0, output: expect.stringContaining('[agentpty: left one') })
    expect((await instance.cli('read', 'one')).stdout).toContain('typed-42')
  })

  test('a smaller window shows the part around the cursor and changes nothing for others', async () => {
    await shell('one', '100x30')
    const large = await Person.runs({ cols: 120, rows: 40 }, 'attach', 'one')
    const small = await Person.runs({ cols: 30, rows: 5 }, 'attach', 'one')
    await large.types('seq 100 140; echo end')
    await large.presses('enter')
    expect(await small.sees(/^end$/m)).not.toContain('130')
    await large.sees(/^130 +│$/m)
    expect(await sizeOf('one')).toBe('30 100')
  })

  test('hyperlinks of the program are hyperlinks in the window, and end with their text', async () => {
    const script = "printf '\\033]8;;https://x.example/a\\007docs\\033]8;;\\007 text\\n'; exec cat"
    await instance.cli('new', '--name', 'linked', '--size', '100x30', 'sh', '-c', script)
    const person = await Person.runs({ cols: 60, rows: 10 }, 'attach', 'linked')
    await person.sees(/^docs text$/m)
    const output = await person.output()
    expect(output).toMatch(/\x1b\]8;;https:\/\/x\.example\/a\x07\x1b\[[\d;]*mdocs\x1b\]8;;\x07/)
  })

  test('an option resizes the terminal to the window, now and after each change', async () => {
    await shell('one')
    const person = await Person.runs({ cols: 90, rows: 25 }, 'attach', 'one', '--fit')
    await until(async () => (await sizeOf('one')) === '25 90')
    await person.resizes(70, 20)
    await until(async () => (await sizeOf('one')) === '20 70')
    expect(await sizeOf('one')).toBe('20 70')
  })

  test('takes the terminal over and gives it back, and shows that below the screen', async () => {
    await shell('one')
    const agent = await instance.mcp()
    const person = await Person.runs({ cols: 110, rows: 30 }, 'attach', 'one')
    const other = await Person.runs({ cols: 110, rows: 30 }, 'attach', 'one', '--read-only')
    await person.sees(/attached to one/)
    await person.presses('ctrl+]', 't')
    await person.sees(/YOURS: agents are kept out/)
    await other.presses('x')
    await other.sees(/taken over by agentpty CLI/)
    await expect(agent.call('send', { terminalId: 'one', text: 'echo no' })).rejects.toMatchObject({
      code: 'person_types',
    })
    await person.types('echo by-hand')
    await person.presses('enter')
    await person.sees(/^by-hand +│?\n\$/m)
    await person.presses('ctrl+]', 't')
    await person.sees(/ctrl\+\]: keys/)
    expect(await agent.call('send', { terminalId: 'one', text: 'echo yes' })).toMatchObject({
      handedBack: expect.stringContaining('"echo by-hand" (exit 0)'),
    })
    await person.presses('ctrl+]', 't')
    await person.sees(/YOURS/)
    await person.presses('ctrl+]', 'd')
    await person.leaves()
    expect(await agent.call('send', { terminalId: 'one', text: 'echo again' })).toMatchObject({
      output: expect.stringContaining('again'),
    })
  })

  test('in an agents-only terminal, a person’s keys are refused with the way out, and ctrl+c passes', async () => {
    await instance.cli('new', '--name', 'one', 'sh', '-c', 'trap "echo interrupted; exit" INT; echo ready; cat')
    expect(await instance.cli('release', 'one', '--agents-only')).toMatchObject({ code: 0 })
    const person = await Person.runs({ cols: 110, rows: 30 }, 'attach', 'one')
    await person.sees(/ready/)
    await person.types('no')
    await person.sees(/only agents type here: take it over first/)
    await person.presses('ctrl+c')
    expect((await person.leaves()).output).toContain('has ended')
    expect((await instance.cli('read', 'one')).stdout).toMatch(/^ready\n(?:\^C)?interrupted/)
  })

  test('a person who only watches cannot type', async () => {
    await shell('one')
    const person = await Person.runs({ cols: 80, rows: 24 }, 'attach', 'one', '--read-only')
    await person.sees(/\$/)
    await person.types('echo no')
    await person.presses('enter')
    expect((await instance.cli('send', 'one', 'echo yes')).stdout).toContain('yes')
    expect((await instance.cli('read', 'one')).stdout).not.toContain('echo no')
    await person.presses('ctrl+c')
    expect((await person.leaves()).exitCode).toBe(0)
  })

  test('operates a full-screen program with its own keys', async () => {
    await instance.cli('new', '--name', 'vim', '--size', '60x20', '--wait', 'ready', '--', 'vim', '-u', 'NONE', '-N')
    const person = await Person.runs({ cols: 60, rows: 20 }, 'attach', 'vim')
    await person.sees(/VIM - Vi IMproved|^~/m)
    await person.types('ione')
    await person.presses('enter')
    await person.types('two')
    await person.presses('escape', 'up')
    await person.types('Athree')
    await person.presses('escape')
    await person.sees(/^onethree\ntwo\n~/)
  })

  test('lists its own keys, and restores the row', async () => {
    await shell('one')
    const person = await Person.runs({ cols: 100, rows: 24 }, 'attach', 'one')
    await person.sees(/\$/)
    await person.presses('ctrl+]')
    await person.sees(/d: leave/)
    await person.presses('x')
    await until(async () => !/leave/.test(await person.screen()))
  })

  test('shows the terminal and the way out at the start, and then no more', async () => {
    await shell('one')
    const person = await Person.runs({ cols: 100, rows: 24 }, 'attach', 'one')
    await person.sees(/attached to one {3}ctrl\+\] d leaves/)
    await person.types('x')
    await person.sees(/^\$ x +│$/m)
    expect(await person.screen()).not.toMatch(/attached/)
    expect(await person.title()).toBe('one – agentpty')
  })

  test('has a status line below a screen shorter than the window, which can be disabled', async () => {
    await shell('one', '60x20')
    const person = await Person.runs({ cols: 100, rows: 24 }, 'attach', 'one')
    await person.sees(/attached to one/)
    await person.types('x')
    await person.sees(/^ one {3}60x20 {3}ctrl\+\]: keys$/m)
    await person.presses('ctrl+]', 's')
    await until(async () => !/60x20/.test(await person.screen()))
    await person.presses('ctrl+]', 's')
    await person.sees(/60x20/)
    const quiet = await Person.runs({ cols: 100, rows: 24 }, 'attach', 'one', '--no-status')
    await quiet.sees(/\$ x/)
    expect(await quiet.screen()).not.toMatch(/one/)
  })

  test('takes another prefix, from the command line and from the configuration', async () => {
    await shell('one')
    const person = await Person.runs({ cols: 100, rows: 24 }, 'attach', 'one', '--prefix', 'ctrl+a')
    await person.sees(/ctrl\+a d leaves/)
    await person.presses('ctrl+a', 'd')
    expect((await person.leaves()).exitCode).toBe(0)
    writeFileSync(`${instance.home}/config.yaml`, 'attachPrefix: ctrl+b\n')
    const other = await Person.runs({ cols: 100, rows: 24 }, 'attach', 'one')
    await other.sees(/ctrl\+b d leaves/)
    await other.presses('ctrl+b', 'd')
    expect((await other.leaves()).exitCode).toBe(0)
    expect(await instance.cli('attach', '--prefix', 'ctrl+m')).toMatchObject({ code: 2 })
  })

  test('copy mode scrolls, searches, copies to the clipboard, and returns to the output of the meantime', async () => {
    await shell('one')
    await instance.cli('send', 'one', 'seq 1000 1200')
    const person = await Person.runs({ cols: 80, rows: 24 }, 'attach', 'one')
    await person.sees(/^1200$/m)
    await person.presses('ctrl+]', '[')
    await person.sees(/copy \d+\/\d+/)
    await person.presses('pageup', 'pageup', 'pageup')
    expect(await person.sees(/^1150$/m)).not.toMatch(/^1200$/m)
    await person.types('/1033')
    await person.presses('enter')
    await person.sees(/^1033$/m)
    await instance.cli('send', 'one', 'echo mean$((1))while')
    expect(await person.screen()).not.toMatch(/mean1while/)
    await person.presses('space', 'j', 'enter')
    await person.sees(/^mean1while$/m)
    expect(await person.output()).toContain(`\x1b]52;c;${Buffer.from('1033\n1').toString('base64')}\x07`)
    await person.types('echo back-$((1+1))')
    await person.presses('enter')
    await person.sees(/^back-2$/m)
  })

  test('copy mode searches all kept output, up and down, and shows the rows around a match', async () => {
    await shell('one')
    await instance.cli('send', 'one', 'seq 100000 130000')
    const person = await Person.runs({ cols: 80, rows: 24 }, 'attach', 'one')
    await person.sees(/^130000$/m)
    await person.presses('ctrl+]', '[')
    await person.sees(/copy \d+\/\d+/)
    await person.types('?5000')
    await person.presses('enter')
    // 125000 is above the rows of the screen.
    expect(await person.sees(/^125000$/m)).toMatch(/copy \d+% of all kept output/)
    await person.types('n')
    await person.sees(/^115000$/m)
    await person.types('n')
    await person.sees(/^105000$/m)
    // From the first match on to the last one, and back.
    await person.types('n')
    await person.sees(/^125000$/m)
    await person.types('N')
    await person.sees(/^105000$/m)
    await person.types('N')
    await person.sees(/^115000$/m)
    await person.types('/nowhere')
    await person.presses('enter')
    await person.sees(/not found: nowhere/)
    // The rows continue where they were read to.
    for (let page = 0; page < 60; page++) await person.presses('pageup')
    await until(async () => /^1136\d\d$/m.test(await person.screen()))
    await person.types('q')
    await person.sees(/^130000$/m)
  })

  test('the wheel scrolls back, and returns once it is turned beyond the end', async () => {
    await shell('one')
    await instance.cli('send', 'one', 'seq 1000 1200')
    const person = await Person.runs({ cols: 80, rows: 24 }, 'attach', 'one')
    await person.sees(/^1200$/m)
    await person.points('64;5;5M', 10)
    expect(await person.sees(/copy \d+\/\d+[\s\S]*/)).not.toMatch(/^1200$/m)
    await person.points('65;5;5M', 11)
    await person.sees(/^1200\n\$/m)
    await person.types('echo back-$((1+1))\r')
    await person.sees(/^back-2$/m)
  })

  test('a program that asks for the mouse gets clicks in the cells of its screen, whatever part of it is shown', async () => {
    const program = "printf '\\e[?1000h'; stty -echo -icanon; seq 1 39; od -An -c -w6"
    await instance.cli('new', '--name', 'one', '--size', '100x40', '--', 'bash', '-c', program)
    const person = await Person.runs({ cols: 50, rows: 11 }, 'attach', 'one')
    await person.sees(/^39$/m)
    await person.points('0;3;1M')
    await until(async () => /033 {3}\[ {3}M {7}# {3}\?/.test((await instance.cli('screen', 'one')).stdout))
  })

  test('in a full-screen program without a mouse the wheel moves as the arrows do', async () => {
    const lines = `${instance.user}/lines`
    writeFileSync(lines, Array.from({ length: 100 }, (_, at) => `line ${at + 1}\n`).join(''))
    await instance.cli('new', '--name', 'one', '--size', '80x24', '--wait', 'ready', '--', 'less', lines)
    const person = await Person.runs({ cols: 80, rows: 24 }, 'attach', 'one')
    await person.sees(/^line 1$/m)
    await person.points('65;5;5M', 2)
    await person.sees(/^line 7\n[\s\S]*^line 29$/m)
  })

  test('without the mouse the window’s own terminal keeps it, and a key switches it', async () => {
    await shell('one')
    const modesOf = async () => (await person.output()).match(/\x1b\[\?1000[hl]/g) ?? []
    const person = await Person.runs({ cols: 80, rows: 24 }, 'attach', 'one', '--no-mouse')
    await person.sees(/\$/)
    expect(await modesOf()).toEqual([])
    await person.presses('ctrl+]', 'm')
    await until(async () => String(await modesOf()) === '\x1b[?1000h')
    await person.presses('ctrl+]', 'd')
    await person.leaves()
    expect(await modesOf()).toEqual(['\x1b[?1000h', '\x1b[?1000l'])
  })

  test('a process that is asked to end gives the mouse and the screen back first', async () => {
    await shell('one')
    const person = await Person.runs({ cols: 80, rows: 24 }, 'attach', 'one')
    await person.sees(/attached to one/)
    const { terminals } = await people.client.call('list', {})
    const pid = terminals.find(({ terminalId }) => terminalId === person.terminalId)?.pid ?? 0
    process.kill(pid, 'SIGTERM')
    expect((await person.leaves()).output).toContain('[agentpty: left one')
    expect(await person.output()).toMatch(/\x1b\[\?1000l[\s\S]*\x1b\[\?1049l/)
  })

  test('copy mode moves from command to command, and copies the output of one', async () => {
    await instance.cli('new', '--name', 'marked', '--shell', 'bash')
    await instance.cli('send', 'marked', 'seq 1 60')
    await instance.cli('send', 'marked', 'echo second-$((1+1))')
    const person = await Person.runs({ cols: 100, rows: 24 }, 'attach', 'marked')
    await person.sees(/^second-2$/m)
    await person.presses('ctrl+]', '[')
    await person.sees(/\{ \}: commands {3}o: its output/)
    await person.types('{{')
    await person.sees(/\$ seq 1 60/)
    await person.types('o')
    await person.sees(/^second-2$/m)
    const printed = Array.from({ length: 60 }, (_, index) => String(index + 1)).join('\n')
    await until(async () =>
      (await person.output()).includes(`\x1b]52;c;${Buffer.from(printed).toString('base64')}\x07`),
    )
  })

  test('reports that the daemon was replaced', async () => {
    await shell('one')
    const person = await Person.runs({ cols: 100, rows: 24 }, 'attach', 'one')
    await person.sees(/attached to one/)
    await instance.killDaemon()
    await person.sees(/the daemon was replaced; one goes on/)
  })

  test('continues when the daemon is killed', async () => {
    await shell('one')
    const person = await Person.runs({ cols: 80, rows: 24 }, 'attach', 'one')
    await person.sees(/\$/)
    await instance.killDaemon()
    await until(async () => {
      await person.types('echo still-$((1+1))\n')
      return /^still-2$/m.test(await person.screen())
    })
  })

  test('ends with its program and reports how', async () => {
    await shell('one')
    const person = await Person.runs({ cols: 80, rows: 24 }, 'attach', 'one')
    await person.sees(/\$/)
    await person.types('exit 3')
    await person.presses('enter')
    expect(await person.leaves()).toMatchObject({
      exitCode: 5,
      output: expect.stringContaining('has ended (exit code 3)'),
    })
  })

  test('without an id takes the only terminal', async () => {
    await shell('lonely')
    const person = await Person.runs({ cols: 80, rows: 24 }, 'attach')
    await person.sees(/\$/)
  })

  test.each([
    ['a missing terminal', ['attach', 'nobody'], /No terminal "nobody"/],
    ['no open terminal', ['attach'], /No terminal is open/],
  ] as const)('%s leaves the window unchanged', async (_name, args, words) => {
    const person = await Person.runs({ cols: 80, rows: 24 }, ...args)
    const { output, exitCode } = await person.leaves()
    expect(exitCode).toBeGreaterThan(0)
    expect(output).toMatch(words)
  })

  test('in a pipe it names the command to use instead', async () => {
    await shell('one')
    expect(await instance.cli('attach', 'one')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('agentpty read'),
    })
  })
})

describe('watch', () => {
  test('shows every terminal and its turn, including new and closed ones', async () => {
    await shell('first')
    await instance.cli('new', '--name', 'asks', '--', 'bash', '-c', 'read -p "Deploy? [y/n] "')
    const person = await Person.runs({ cols: 120, rows: 30 }, 'watch')
    await person.sees(/first {2}at its prompt/)
    await person.sees(/asks {2}asks yes or no/)
    await person.sees(/Deploy\? \[y\/n\]/)
    await instance.cli('new', '--name', 'third', 'echo hello from the third; cat')
    await person.sees(/hello from the third/)
    await instance.cli('close', 'first')
    // The footer is drawn last: a screen that has the new count is complete.
    expect(await person.sees(/2 terminals/)).not.toMatch(/first/)
    await person.presses('q')
    expect((await person.leaves()).exitCode).toBe(0)
  })

  test('continues when the daemon is killed', async () => {
    await shell('first')
    const person = await Person.runs({ cols: 80, rows: 24 }, 'watch')
    await person.sees(/first {2}at its prompt/)
    const { pid } = (await instance.status()).daemon
    process.kill(pid, 'SIGKILL')
    await until(async () => (await instance.status()).daemon.pid !== pid)
    await instance.cli('send', 'first', 'echo still-$((1+1))')
    await person.sees(/^still-2/m)
  })

  test('a click on a tile attaches to its terminal', async () => {
    await shell('left')
    await shell('right')
    const person = await Person.runs({ cols: 160, rows: 24 }, 'watch')
    await person.sees(/right {2}at its prompt/)
    await person.points('0;120;10M')
    await person.points('0;120;10m')
    await person.sees(/attached to term-2/)
    await person.types('echo sat-$((1+1))\r')
    await person.sees(/^sat-2/m)
    expect((await instance.cli('read', 'right')).stdout).toContain('sat-2')
  })

  test('a person attaches to a terminal and returns', async () => {
    await shell('left')
    await shell('right')
    const person = await Person.runs({ cols: 160, rows: 24 }, 'watch')
    await person.sees(/right {2}at its prompt/)
    await person.presses('right', 'enter')
    await until(async () => !/left {2}at its prompt/.test(await person.screen()))
    await person.types('echo sat-$((1+1))')
    await person.presses('enter')
    await person.sees(/^sat-2/m)
    await person.presses('ctrl+]', 'd')
    await person.sees(/left {2}at its prompt.*right {2}at its prompt/)
    expect((await instance.cli('read', 'right')).stdout).toContain('sat-2')
  })
})

// The policy refuses `approvals --watch` in a terminal that an agent could use.
test.each([
  'needs --watch',
  'audit --follow',
  'explain left --follow',
  'read left --follow',
  'agent tree --follow',
  'tree',
  'watch',
  'attach left --read-only',
])('q leaves agentpty %s', async (line) => {
  await shell('left')
  const person = await Person.runs({ cols: 100, rows: 30 }, ...line.split(' '))
  await person.presses('q')
  expect((await person.leaves()).exitCode).toBe(0)
  expect((await instance.cli('read', 'left')).code).toBe(0)
})
