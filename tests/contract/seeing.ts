/** The screen as a person sees it, its size, and the list of terminals. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Suite, sharedFolder } from './suite.ts'

export function seeing({ call, shell }: Suite): void {
  test('a full-screen program is returned as text, with colours, and as a page', async () => {
    const file = join(sharedFolder(), 'poem.txt')
    writeFileSync(file, `roses are red\nviolets are <blue>\n${'la\n'.repeat(20)}`)
    const { terminalId } = await call('create', { command: ['less', '-S', file], cols: 60, rows: 8 })
    const text = await call('screenshot', { terminalId })
    expect(text).toMatchObject({ rows: 8, cols: 60, alternateScreen: true, state: 'ready', cursorRow: 7 })
    expect(text.screen.split('\n').slice(0, 3)).toEqual(['roses are red', 'violets are <blue>', 'la'])
    const ansi = await call('screenshot', { terminalId, format: 'ansi' })
    expect(ansi.screen).toContain('violets are <blue>')
    expect(ansi.screen).toContain('\x1b[')
    const html = await call('screenshot', { terminalId, format: 'html' })
    expect(html.screen).toMatch(/violets are &(lt|#60);blue&(gt|#62);/)
    expect(html.screen).toMatch(/^<pre/)
  })

  test('a key in a full-screen program returns the rows that it changed', async () => {
    const { terminalId } = await call('create', { command: 'seq 1 100 | less', rows: 6 })
    const { output } = await call('sendKeys', { terminalId, keys: ['space'] })
    expect(output.split('\n').slice(0, 6)).toEqual(['[rows 1-5]', '6', '7', '8', '9', '10'])
  })

  test('scrollback is added on request', async () => {
    const { terminalId } = await call('create', { command: 'seq 1 20; cat', rows: 5, waitFor: { text: '20' } })
    expect((await call('screenshot', { terminalId })).screen.split('\n')).toEqual(['17', '18', '19', '20'])
    const { screen } = await call('screenshot', { terminalId, lines: 2 })
    expect(screen.split('\n')).toEqual(['15', '16', '17', '18', '19', '20'])
  })

  test('a new size is seen by the program and on the screen', async () => {
    const { terminalId } = await shell()
    const size = { cols: 100, rows: 40 }
    expect(await call('resize', { terminalId, ...size })).toEqual({ terminalId, ...size })
    expect(await call('send', { terminalId, text: 'stty size' })).toMatchObject({ output: '40 100\n$' })
    expect(await call('screenshot', { terminalId })).toMatchObject(size)
  })

  test('output drawn immediately after a resize is shown in the new size', async () => {
    const file = join(sharedFolder(), 'lines')
    writeFileSync(file, Array.from({ length: 200 }, (_, index) => `line ${index + 1}\n`).join(''))
    const edit = async (): Promise<string> => {
      const command = ['vim', '-u', 'NONE', '-i', 'NONE', '-n', file]
      const { terminalId } = await call('create', { command, cols: 70, rows: 20 })
      await call('screenshot', { terminalId })
      await call('resize', { terminalId, cols: 90, rows: 25 })
      await call('sendKeys', { terminalId, keys: ['5', '0', 'G'], waitFor: { stableMs: 100 } })
      return (await call('screenshot', { terminalId })).screen
    }
    // Concurrently, so that the new size and its output often arrive in one piece.
    const screens = await Promise.all(Array.from({ length: 8 }, edit))
    const expected = Array.from({ length: 24 }, (_, row) => `line ${39 + row}`)
    for (const screen of screens) expect(screen.split('\n').slice(0, 24)).toEqual(expected)
  })

  test('the list shows the program, the folder and the turn of each terminal', async () => {
    const cwd = sharedFolder()
    const first = await shell({ name: 'one' })
    await call('send', { terminalId: first.terminalId, text: `cd ${cwd}; cat` })
    const second = await call('create', { command: 'exit 6', waitFor: 'exit' })
    expect((await call('list', {})).terminals[0]?.createdAt).toBeGreaterThan(0)
    const { terminals } = await call('list', {})
    expect(terminals).toMatchObject([
      { terminalId: first.terminalId, name: 'one', isActive: true, state: 'ready', kind: 'line', pid: first.pid },
      { terminalId: second.terminalId, isActive: false, state: 'exited', exitCode: 6, pid: second.pid },
    ])
    expect(terminals[0]?.command).toContain('cat')
    await call('sendKeys', { terminalId: first.terminalId, keys: ['ctrl+c'] })
    expect((await call('list', {})).terminals[0]).toMatchObject({ cwd, kind: 'shell' })
  })

  test('the choice of a menu is marked, and a moved choice counts as output', async () => {
    const menu = [
      'import curses',
      'def main(screen):',
      '    items, at = ["alpha", "beta", "gamma"], 0',
      '    while True:',
      '        for row, item in enumerate(items):',
      '            screen.addstr(row + 1, 2, item, curses.A_REVERSE if row == at else 0)',
      '        screen.move(5, 0)',
      '        key = screen.getch()',
      '        at = (at + (key == curses.KEY_DOWN) - (key == curses.KEY_UP)) % 3',
      'curses.wrapper(main)',
    ].join('\n')
    const { terminalId, output } = await call('create', { command: ['python3', '-c', menu] })
    expect(output).toContain('«alpha»')
    const moved = await call('sendKeys', { terminalId, keys: ['down'] })
    expect(moved.output).toBe('[rows 2-3]\n  alpha\n  «beta»')
    const seen = await call('screenshot', { terminalId })
    expect(seen.screen).toContain('«beta»')
    expect(seen.highlights).toEqual([{ row: 2, col: 2, text: 'beta' }])
    expect((await call('screenshot', { terminalId, format: 'plain' })).screen).toBe('\n  alpha\n  beta\n  gamma')
  })
}
