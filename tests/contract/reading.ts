/** Reading: all output is returned in order and once, and omissions are stated. */

import { expect, test } from 'vitest'
import { rawLog, type Suite } from './suite.ts'

const numbers = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, index) => `${from + index}\r\n`).join('')

const logBytes = 8 * 1024 * 1024

export function reading({ call, shell }: Suite): void {
  test('reading from each cursor returns three megabytes completely', async () => {
    const { terminalId } = await call('create', { command: 'seq 1 400000', waitFor: 'exit' })
    const expected = numbers(1, 400_000)
    expect(expected.length).toBeGreaterThan(3_000_000)
    expect((await rawLog(call, terminalId)) === expected).toBe(true)
  })

  test('evicted bytes are counted exactly, and the rest is complete', async () => {
    const { terminalId, state } = await call('create', { command: 'seq 1 1200000', waitFor: 'exit' })
    expect(state).toBe('exited')
    const expected = numbers(1, 1_200_000)
    const first = await call('read', { terminalId, since: 0, raw: true, maxBytes: 1_000_000 })
    expect(first.missedBytes).toBe(expected.length - logBytes)
    expect(first.cursor).toBe(expected.length - logBytes + 1_000_000)
    expect(first.output === expected.slice(-logBytes, -logBytes + 1_000_000)).toBe(true)
    const next = await call('read', { terminalId, since: first.cursor, raw: true })
    expect(next).not.toHaveProperty('missedBytes')
    expect((await call('read', { terminalId, since: 100 })).missedBytes).toBe(expected.length - logBytes - 100)
  })

  test('a read of all output states the number of evicted bytes', async () => {
    const { terminalId } = await call('create', { command: 'seq 1 1200000', waitFor: 'exit' })
    const { missedBytes } = await call('read', { terminalId })
    expect(missedBytes).toBe(numbers(1, 1_200_000).length - logBytes)
  })

  /** Prints two letters in Latin-1, an é in UTF-8, and U+FFFD itself. */
  const latin1 = "printf 'caf\\351 \\303\\251 \\357\\277\\275 na\\357ve\\n'"
  const shownLatin1 = 'caf\ufffd é \ufffd na\ufffdve'

  test('bytes that are not UTF-8 are counted in each result that shows them', async () => {
    const created = await call('create', { command: latin1, waitFor: 'exit' })
    expect(created).toMatchObject({ output: shownLatin1, invalidBytes: 2 })
    const { terminalId } = created
    const at = (since: number, until: number) => call('read', { terminalId, since, until })
    expect(await call('read', { terminalId })).toMatchObject({ output: shownLatin1, invalidBytes: 2 })
    expect(await call('read', { terminalId, raw: true })).toMatchObject({ invalidBytes: 2 })
    expect(await call('read', { terminalId, find: 'caf' })).toMatchObject({ matches: 1, invalidBytes: 2 })
    expect(await at(0, 4)).toMatchObject({ output: 'caf\ufffd', invalidBytes: 1 })
    expect(await at(4, 12)).not.toHaveProperty('invalidBytes')
    // The bytes of é are at 5 and 6.
    expect(await at(4, 6)).not.toHaveProperty('invalidBytes')
    expect(await at(6, 9)).not.toHaveProperty('invalidBytes')
  })

  test('each command of a run has its invalid bytes counted, and UTF-8 output has no such field', async () => {
    const { terminalId } = await shell()
    const lines = `${latin1}\necho between\n${latin1}`
    expect(await call('run', { terminalId, command: lines })).toMatchObject({ invalidBytes: 4 })
    expect(await call('run', { terminalId, command: 'echo héllo' })).not.toHaveProperty('invalidBytes')
    expect(await call('send', { terminalId, text: "printf '\\377\\n'" })).toMatchObject({ invalidBytes: 1 })
    // The shell prints more after an incomplete character, so that it cannot be completed.
    const cut = await call('run', { terminalId, command: "printf 'caf\\342\\202'" })
    expect(cut).toMatchObject({ output: 'caf\ufffd', invalidBytes: 2 })
  })

  test('an incomplete character is counted once it cannot be completed', async () => {
    const command = "printf '\\342\\202'; read line"
    const { terminalId, ...seen } = await call('create', { command })
    expect(seen).not.toHaveProperty('invalidBytes')
    await call('send', { terminalId, text: '', waitFor: 'exit' })
    expect(await call('read', { terminalId })).toMatchObject({ invalidBytes: 2 })
  })

  test('a read at the end returns nothing and the same cursor', async () => {
    const { terminalId, cursor } = await shell()
    expect(await call('read', { terminalId, since: cursor })).toMatchObject({ output: '', cursor, isActive: true })
  })

  test('a cursor past the end is set back to the end', async () => {
    const { terminalId, cursor } = await shell()
    expect(await call('read', { terminalId, since: cursor + 1_000 })).toMatchObject({ output: '', cursor })
  })

  test('find returns the matching lines with their context', async () => {
    const { terminalId } = await call('create', { command: 'seq 1 50', waitFor: 'exit' })
    const found = await call('read', { terminalId, find: '^(20|40)$', contextLines: 1 })
    expect(found.matches).toBe(2)
    expect(found.output.split('\n').map((line) => line.replace(/^\d+: /, ''))).toEqual([
      '19',
      '20',
      '21',
      '--',
      '39',
      '40',
      '41',
    ])
  })

  test('find counts lines, not matches', async () => {
    const { terminalId } = await call('create', { command: 'seq 10001 10100', waitFor: 'exit' })
    const found = await call('read', { terminalId, find: '\\d' })
    expect(found.matches).toBe(100)
    expect(found.output.split('\n')).toHaveLength(100)
  })

  test('find returns offsets that can be read from', async () => {
    const { terminalId } = await call('create', { command: 'seq 1 100000', waitFor: 'exit' })
    const { output } = await call('read', { terminalId, find: '^77777$' })
    const since = Number.parseInt(output, 10)
    expect(await call('read', { terminalId, since, raw: true, maxBytes: 256 })).toMatchObject({
      output: expect.stringMatching(/^77777\r\n77778\r\n/),
    })
  })

  test('find searches all retained output', async () => {
    const { terminalId } = await call('create', { command: 'seq 1 900000', waitFor: 'exit' })
    const found = await call('read', { terminalId, find: '^777777$' })
    expect(found).toMatchObject({ matches: 1, output: expect.stringMatching(/^\d+: 777777$/) })
  })

  test('find with a limit steps through the matching lines in both directions', async () => {
    const { terminalId, cursor } = await call('create', { command: 'seq 1 300000', waitFor: 'exit' })
    const find = { terminalId, find: '^\\d*7777$', limit: 1 } as const
    const last = await call('read', { ...find, backward: true })
    expect(last).toMatchObject({ output: expect.stringMatching(/^\d+: 297777$/), matches: 1, cursor })
    const [until = 0] = last.hits ?? []
    const before = await call('read', { ...find, backward: true, until })
    expect(before.output).toMatch(/: 287777$/)
    const [since = 0] = before.hits ?? []
    expect((await call('read', { ...find, since: since + 1 })).hits).toEqual([until])
    expect((await call('read', { ...find, since: until + 1 })).hits).toEqual([])
    const all = await call('read', { ...find, limit: 10_000, backward: true })
    expect(all).toMatchObject({ matches: 30, hits: expect.arrayContaining([until, since]) })
    expect(await call('read', { ...find, limit: 20, ignoreCase: true })).toMatchObject({ matches: 20 })
  })

  test('ignoreCase finds capitals and small letters alike', async () => {
    const { terminalId } = await call('create', { command: 'printf "Error\\nERROR\\nerror\\n"', waitFor: 'exit' })
    expect(await call('read', { terminalId, find: 'eRROr' })).toMatchObject({ matches: 0 })
    expect(await call('read', { terminalId, find: 'eRROr', ignoreCase: true })).toMatchObject({ matches: 3 })
    expect(await call('read', { terminalId, find: 'eRROr', ignoreCase: true, limit: 2 })).toMatchObject({ matches: 2 })
  })

  test('rows state where a pattern matches in them', async () => {
    const { terminalId } = await call('create', {
      command: 'printf "a \\033[31mneedle\\033[0m\\nneedle\\n"',
      waitFor: 'exit',
    })
    const { rows } = await call('read', { terminalId, since: 0, rows: true, find: 'needle' })
    expect(rows?.matches).toEqual([
      [0, 2, 8],
      [1, 0, 6],
    ])
  })

  test('maxLines and maxBytes limit the output, and omissions are stated', async () => {
    const { terminalId } = await call('create', { command: 'seq 1 1000', waitFor: 'exit' })
    const lines = (await call('read', { terminalId, maxLines: 10 })).output.split('\n')
    expect(lines.filter((line) => /^\d+$/.test(line))).toHaveLength(10)
    expect([lines[0], lines.at(-1)]).toEqual(['1', '1000'])
    expect(lines.join('\n')).toContain('990 lines')
    const bytes = (await call('read', { terminalId, maxBytes: 500 })).output
    expect(Buffer.byteLength(bytes)).toBeLessThanOrEqual(500)
    expect(bytes).toContain('omitted')
  })

  test.each([10, 100_000])('a single line of %i is the newest one', async (count) => {
    const { terminalId } = await call('create', { command: `seq 1 ${count}`, waitFor: 'exit' })
    const lines = (await call('read', { terminalId, maxLines: 1 })).output.split('\n')
    expect(lines.filter((line) => /^\d+$/.test(line))).toEqual([`${count}`])
  })

  test('maxLines limits huge output, too', async () => {
    const { terminalId } = await call('create', { command: 'seq 1 100000', waitFor: 'exit' })
    const lines = (await call('read', { terminalId, maxLines: 10 })).output.split('\n')
    expect(lines.filter((line) => /^\d+$/.test(line)).length).toBeLessThanOrEqual(10)
    expect([lines[0], lines.at(-1)]).toEqual(['1', '100000'])
  })

  test('output far beyond the budget keeps its head, its tail, and the error in its middle', async () => {
    const command = 'seq 1 50000 | tr 0-9 a-j; echo "error: boom"; seq 50001 100000 | tr 0-9 a-j'
    const { output } = await call('create', { command, waitFor: 'exit' })
    expect(Buffer.byteLength(output)).toBeLessThanOrEqual(10 * 1024)
    expect(Buffer.byteLength(output)).toBeGreaterThan(7 * 1024)
    expect(output).toMatch(/^b\nc\nd\n/)
    expect(output).toMatch(/\njjjjj\nbaaaaa$/)
    expect(output).toContain('error: boom')
    // One gap, stated once.
    expect(output.match(/omitted/g)).toHaveLength(1)
  })

  test('large output with numbers as lines shows a few at each end around one gap', async () => {
    const { output } = await call('create', { command: 'seq 1 200000', waitFor: 'exit' })
    const gap = '[... 1,488,856 bytes omitted (offsets 15-1488871)]'
    expect(output).toBe(['1', '2', '3', '4', '5', gap, '199998', '199999', '200000'].join('\n'))
  })

  test('the statement of an omission contains offsets that read exactly the omitted part', async () => {
    const { terminalId, output } = await call('create', { command: 'seq 1 100000', waitFor: 'exit' })
    const [, from, to] = /offsets (\d+)-(\d+)/.exec(output) ?? []
    const [head, tail] = output.split(/\n?\[\.\.\. .*\]\n?/)
    const left = await call('read', { terminalId, since: Number(from), raw: true, maxBytes: 1 << 20 })
    const middle = left.output.slice(0, Number(to) - Number(from)).replaceAll('\r', '')
    expect(`${head}\n${middle}${tail}\n` === numbers(1, 100_000).replaceAll('\r', '')).toBe(true)
  })

  test('one endless line is shown with its beginning and its end, and its middle is stated', async () => {
    const command = 'echo before; read line; head -c 300000 /dev/zero | tr "\\\\0" x; echo END'
    const { terminalId } = await call('create', { command })
    const { output, cursor } = await call('send', { terminalId, text: '', waitFor: 'exit' })
    expect(output).toMatch(/^x{100}/m)
    expect(output).toMatch(/x{100}END$/)
    const [, from, to] = /offsets (\d+)-(\d+)/.exec(output) ?? []
    expect(Number(to) - Number(from)).toBeGreaterThan(200_000)
    expect(Number(from)).toBeGreaterThan(cursor - 300_005)
    expect(Buffer.byteLength(output)).toBeLessThanOrEqual(10 * 1024)
  })

  test('a progress bar is shown in its last state', async () => {
    const program = 'for i in range(101): print(f"\\r{i:3d}% [{"#" * (i // 10):10}]", end="")\nprint()'.replace(
      '"#"',
      "'#'",
    )
    const { output } = await call('create', { command: ['python3', '-c', program], waitFor: 'exit' })
    expect(output).toBe('100% [##########]')
  })

  test('raw keeps escape sequences', async () => {
    const made = await call('create', { command: 'printf "\\033[31mred\\033[0m\\n"', waitFor: 'exit' })
    expect(made.output).toBe('red')
    const { output } = await call('read', { terminalId: made.terminalId, raw: true })
    expect(output).toBe('\x1b[31mred\x1b[0m\r\n')
  })

  test.each(['€', '😀', 'é', 'a€'])('raw never cuts a character: %s', async (character) => {
    const command = ['python3', '-c', `print(${JSON.stringify(character)} * 1000)`]
    const { terminalId } = await call('create', { command, waitFor: 'exit' })
    expect(await rawLog(call, terminalId, 257)).toBe(`${character.repeat(1_000)}\r\n`)
  })

  test('an ended program can be read until its terminal is closed', async () => {
    const { terminalId } = await call('create', { command: 'echo last words; exit 2', waitFor: 'exit' })
    const read = await call('read', { terminalId })
    expect(read).toMatchObject({ output: 'last words', isActive: false, state: 'exited', exitCode: 2 })
    await call('close', { terminalId })
    await expect(call('read', { terminalId })).rejects.toMatchObject({ code: 'session_not_found' })
  })

  test('a wait without since counts retained output, like a read', async () => {
    const { terminalId } = await call('create', { command: 'echo READY; cat', waitFor: { text: 'READY' } })
    const read = await call('read', { terminalId, waitForString: 'READY', waitTimeoutMs: 20_000 })
    expect(read).toMatchObject({ outcome: 'met', output: 'READY' })
  })

  test('a read beyond the end reports it', async () => {
    const { terminalId, cursor } = await call('create', { command: 'echo all; cat', waitFor: { text: 'all' } })
    const read = await call('read', { terminalId, since: cursor + 1_000_000 })
    expect(read).toMatchObject({ output: '', cursor, note: expect.stringContaining(`at ${cursor}`) })
  })

  test('a repeated line is shown once with its count; a custom budget shows all of them', async () => {
    const { terminalId, output } = await call('create', { command: 'yes | head -n 3000; echo end', waitFor: 'exit' })
    expect(output).toBe('y\n[... the same line 2,999 more times ...]\nend')
    const all = await call('read', { terminalId, since: 0, maxBytes: 100_000 })
    expect(all.output.split('\n').filter((line) => line === 'y')).toHaveLength(3_000)
  })
}
