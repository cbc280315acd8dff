import assert from 'node:assert/strict'
import { isTermError, skimQuietMs, waitsPerSessionMax } from '@agentpty/protocol'
import type { Condition, Ending } from '@agentpty/protocol/call'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Session } from './session.ts'
import { agentTypes, mark, openFakeSession } from './testing/fake-session.ts'

/** The ending of a wait if there is one by now, else null. */
async function endingOf(wait: Promise<Ending>): Promise<Ending | null> {
  return Promise.race([wait, Promise.resolve().then(() => Promise.resolve().then(() => null))])
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

/** A little output is on the screen as soon as it comes; this is more. */
const drawnLater = 'a line\r\n'.repeat(500)

function wait(session: Session, conditions: readonly Condition[], options: { since?: number; typed?: string } = {}) {
  return session.wait({ conditions, since: options.since ?? session.parsedTo, deadline: 1e9, ...options })
}

const ready: Condition = { kind: 'ready', confidence: 'low' }

describe('the log and its views', () => {
  const output = Buffer.from(
    `${mark.promptStart}$ ${mark.promptEnd}\x1b[?2004hls\r\n\x1b[?2004l\x1b]7;file://host/home/ä\x07${mark.start}one\r\n` +
      `töo 😀\r\n${mark.end(3)}${mark.promptStart}$ ${mark.promptEnd}vim\r\n${mark.start}\x1b[?1049h\x1b[?1h\x1b]2;title\x1b\\` +
      `\x1b[3;4Hpicture\x1b[?1049l${mark.end(0)}${mark.promptStart}$ ${mark.promptEnd}`,
  )
  const pieces = fc
    .array(fc.integer({ min: 1, max: output.length - 1 }), { maxLength: 30 })
    .map((cuts) => [0, ...new Set(cuts.toSorted((a, b) => a - b)), output.length])

  function viewsOf({ session }: ReturnType<typeof openFakeSession>) {
    const { commands, modes, log } = session
    const { alternateScreen, applicationCursorKeys, bracketedPaste, title } = modes
    return {
      commands: commands.commands,
      cwd: commands.cwd,
      atPrompt: commands.atPrompt,
      modes: { alternateScreen, applicationCursorKeys, bracketedPaste, title },
      log: Buffer.from(log.read({ since: 0 }).bytes).toString('latin1'),
    }
  }

  test('the same bytes give the same views however they are cut', () => {
    const whole = openFakeSession()
    whole.pty.prints(output)
    const want = viewsOf(whole)
    assert.deepEqual(
      want.commands.map(({ exitCode }) => exitCode),
      [3, 0],
    )
    fc.assert(
      fc.property(pieces, (cuts) => {
        const cut = openFakeSession()
        let parsedTo = 0
        for (const [index, from] of cuts.slice(0, -1).entries()) {
          cut.pty.prints(output.subarray(from, cuts[index + 1]))
          assert.ok(cut.session.parsedTo >= parsedTo)
          parsedTo = cut.session.parsedTo
        }
        assert.equal(parsedTo, output.length)
        assert.deepEqual(viewsOf(cut), want)
      }),
    )
  })

  test('the same bytes draw the same screen however they are cut, and whenever it was first asked for', async () => {
    const whole = openFakeSession()
    whole.pty.prints(output)
    const want = (await whole.session.screen()).snapshot()
    await fc.assert(
      fc.asyncProperty(pieces, fc.nat(5), async (cuts, screenAt) => {
        const cut = openFakeSession()
        for (const [index, from] of cuts.slice(0, -1).entries()) {
          if (index === screenAt) await cut.session.screen()
          cut.pty.prints(output.subarray(from, cuts[index + 1]))
        }
        assert.deepEqual((await cut.session.screen()).snapshot(), want)
      }),
      { numRuns: 30 },
    )
  })

  test('reading on from next visits every kept byte once, however much is asked for', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ minLength: 1, maxLength: 60 }), { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 50 }),
        (outputs, maxBytes) => {
          const { pty, session } = openFakeSession({ info: { logBytes: 500 } })
          const seen: Uint8Array[] = []
          let since = 0
          let missed = 0
          for (const bytes of outputs) {
            pty.prints(bytes)
            const slice = session.log.read({ since, maxBytes })
            seen.push(slice.bytes)
            missed += slice.missedBytes
            since = slice.next
          }
          const rest = session.log.read({ since })
          missed += rest.missedBytes
          const all = Buffer.concat(outputs)
          const got = Buffer.concat([...seen, rest.bytes])
          assert.equal(got.length + missed, all.length)
          if (missed === 0) assert.deepEqual(got, all)
        },
      ),
    )
  })

  test('bytes the host had to give up are missed, and offsets continue behind them', () => {
    const { pty, session } = openFakeSession()
    pty.prints('before')
    pty.loses(100)
    pty.prints('after')
    const { bytes, missedBytes, next } = session.log.read({ since: 2 })
    assert.deepEqual([Buffer.from(bytes).toString(), missedBytes, next], ['after', 104, 111])
  })

  test('more output in one piece than the log holds is missed by readers, and stops nothing', async () => {
    const { pty, session } = openFakeSession({ info: { logBytes: 1_000 }, hostBytes: 10_000 })
    pty.prints('x'.repeat(900))
    pty.prints(`${'y'.repeat(5_000)}\r\nthe last word`)
    pty.exits({ code: 3 })
    const { text } = (await session.screen()).snapshot()
    assert.ok(text.includes('the last word'))
    assert.equal(session.parsedTo, 900 + 5_015)
    assert.deepEqual(session.exit, { code: 3, signal: null })
    assert.equal(session.log.read({ since: 0 }).missedBytes, 900 + 5_015 - 1_000)
  })

  test('a screen made late draws what was there, although more pushes it out of a small log', async () => {
    const { pty, session } = openFakeSession({ info: { logBytes: 2_000 } })
    pty.prints('\x1b]2;early\x07')
    await pty.resize({ cols: 60, rows: 20 })
    for (let count = 0; count < 4; count++) pty.prints('x'.repeat(900))
    assert.equal((await session.screen()).snapshot().title, 'early')
    assert.ok(session.log.start > 1_000, 'what was there has been pushed out')
  })

  test('a session found again does not fall back behind what its callers have seen, while its screen is drawn', async () => {
    const { pty, session } = openFakeSession({ info: { logBytes: 1_000 }, history: { end: 900, exited: false } })
    pty.prints('x'.repeat(900))
    assert.equal(session.parsedTo, 900)
    await session.screen()
    assert.equal(session.parsedTo, 900)
  })

  test('the host learns how far it may drop output, and not more than is on a screen that has to keep up', async () => {
    const { pty, session } = openFakeSession({ info: { logBytes: 8_000_000 } })
    pty.prints('x'.repeat(300_000))
    assert.equal(pty.ackedTo, 300_000)
    const screen = session.screen()
    pty.prints('y'.repeat(300_000))
    assert.ok(pty.ackedTo < 600_000)
    await screen
    await session.screen()
    assert.ok(pty.ackedTo > 600_000 - 200_000)
  })
})

describe('a flood', () => {
  const lines = 'line of output\r\n'.repeat(20_000)

  test('is passed over as it comes, and its last lines are drawn when it pauses', async () => {
    const { pty, session, clock } = openFakeSession()
    await session.screen()
    for (let count = 0; count < 3; count++) pty.prints(lines)
    const behind = session.log.end - session.parsedTo
    assert.ok(behind > 0 && behind < lines.length, `${behind} bytes are still to be drawn`)
    const end = wait(session, [{ kind: 'text', text: 'the last word' }], { since: 0 })
    pty.prints('the last word')
    clock.advance(2 * skimQuietMs)
    expect(await end).toMatchObject({ outcome: 'met' })
    assert.equal(session.parsedTo, session.log.end)
  })

  test('that continues is drawn for every caller that asks', async () => {
    const { pty, session } = openFakeSession()
    await session.screen()
    pty.prints(`${lines}as far as here`)
    assert.ok((await session.screen()).snapshot().text.includes('as far as here'))
  })
})

describe('the end of the program', () => {
  test('is reported immediately when no reader has to catch up', () => {
    const { pty, session } = openFakeSession()
    pty.prints('bye')
    pty.exits({ code: 3 })
    assert.deepEqual(session.exit, { code: 3, signal: null })
  })

  test('is reported only after its last byte is on the screen', async () => {
    const { pty, session } = openFakeSession()
    await session.screen()
    pty.prints(`${'line of output\r\n'.repeat(20_000)}the last word`)
    const ending = wait(session, [{ kind: 'exit' }])
    pty.exits({ code: 3 })
    assert.equal(session.exit, null)
    expect(await ending).toMatchObject({ outcome: 'met', by: 'exit' })
    assert.equal(session.parsedTo, session.log.end)
    assert.ok((await session.screen()).snapshot().text.includes('the last word'))
  })

  test('ends every wait, and a text in the last bytes is still found', async () => {
    const { pty, session } = openFakeSession()
    const never = wait(session, [{ kind: 'text', text: 'never' }])
    const found = wait(session, [{ kind: 'text', text: 'last word' }])
    pty.prints('the last word')
    pty.exits()
    expect(await never).toMatchObject({ outcome: 'exited' })
    expect(await found).toMatchObject({ outcome: 'met', by: 'text' })
  })

  test('makes writing an error that says how it ended', async () => {
    const { pty, session } = openFakeSession()
    pty.exits({ code: null, signal: 'SIGKILL' })
    await expect(agentTypes(session, Buffer.from('x'))).rejects.toMatchObject({
      code: 'session_exited',
      message: expect.stringContaining('SIGKILL'),
    })
  })

  test('that no reader saw is part of the history that has to arrive', async () => {
    const { pty, session } = openFakeSession({ history: { end: 10, exited: true } })
    assert.equal(session.isCaughtUp, false)
    pty.prints('0123456789')
    assert.equal(session.isCaughtUp, false)
    const caughtUp = session.caughtUp()
    pty.exits({ code: 1 })
    await caughtUp
    assert.equal(session.isCaughtUp, true)
  })
})

describe('whose turn it is', () => {
  test('a program that waits in a read is ready', async () => {
    const { pty, session } = openFakeSession()
    const ending = wait(session, [ready])
    pty.prints('Name: ')
    assert.equal(await endingOf(ending), null)
    pty.reports()
    expect(await ending).toMatchObject({ outcome: 'met', by: 'ready' })
    expect(session.turn().verdict).toMatchObject({ state: 'ready', kind: 'line', confidence: 'certain' })
  })

  test.each<[string, Parameters<ReturnType<typeof openFakeSession>['pty']['reports']>[0]]>([
    ['has input that it has not read', { unread: 3 }],
    ['has input on its way', { inputPending: true }],
    ['has not proved that it took its input', { consumed: false }],
    ['was sampled before its last input arrived', { inputWritten: 2 }],
    ['was sampled before its last output', { offset: 0 }],
    ['runs', { wait: 'none', state: 'R' }],
    ['is stopped', { wait: 'none', state: 'T' }],
  ])('a program that %s is not ready', async (_what, facts) => {
    const { pty, session } = openFakeSession()
    pty.prints('Name: ')
    await agentTypes(session, Buffer.from('Ada\r'))
    const ending = wait(session, [ready])
    pty.reports(facts)
    pty.reports(facts)
    assert.equal(await endingOf(ending), null)
    assert.equal(session.turn().verdict.state, 'busy')
    pty.reports()
    expect(await ending).toMatchObject({ outcome: 'met', by: 'ready' })
  })

  test('what was seen before a write counts no more, even when it looks the same', async () => {
    const { pty, session } = openFakeSession()
    pty.prints('Name: ')
    const release = session.watch()
    pty.reports()
    assert.equal(session.turn().verdict.state, 'ready')
    const writing = agentTypes(session, Buffer.from('Ada\r'))
    assert.equal(session.turn().verdict.state, 'busy')
    await writing
    release()
  })

  test('input is never ready before it is consumed, in any order of events', async () => {
    const event = fc.oneof(
      fc.record({ kind: fc.constant('print' as const) }),
      fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 300 }) }),
      fc.record({ kind: fc.constant('facts' as const), unread: fc.integer({ min: 1, max: 5 }), pending: fc.boolean() }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 30 }), async (events) => {
        const { clock, pty, session } = openFakeSession()
        pty.prints('$ ')
        await agentTypes(session, Buffer.from('make\r'))
        const ending = wait(session, [ready])
        for (const one of events) {
          if (one.kind === 'print') pty.prints('x')
          else if (one.kind === 'pass') clock.advance(one.ms)
          else pty.reports({ consumed: false, unread: one.unread, inputPending: one.pending })
          assert.equal(session.turn().verdict.state, 'busy')
        }
        assert.equal(await endingOf(ending), null)
        pty.reports()
        expect(await ending).toMatchObject({ outcome: 'met', by: 'ready' })
      }),
    )
  })

  test.each([
    ['its own prompt', '(gdb) '],
    ['text', 'the first page of it'],
  ])(
    'a program that polls is judged ready, and still is when asked again immediately: it is behind %s',
    async (_what, text) => {
      const { clock, pty, session } = openFakeSession({ info: { shell: null } })
      const polls = { wait: 'poll', otherFds: 2, canonical: false, echo: false, timeoutMs: null } as const
      const ending = wait(session, [ready])
      pty.reports(polls)
      pty.prints(text)
      pty.reports(polls)
      clock.advance(8)
      pty.reports(polls)
      const verdict = { state: 'ready', confidence: 'high' }
      expect(await ending).toMatchObject({ outcome: 'met', verdict })
      expect(session.turn()).toMatchObject({ verdict })
    },
  )

  test('a shell that has taken a line is not at its old prompt, although it waits once more before it runs', async () => {
    const { pty, session } = openFakeSession()
    const prompt = `${mark.promptStart}$ ${mark.promptEnd}`
    const polls = { wait: 'poll', otherFds: 2, canonical: false, echo: false, foreground: 100, waiter: 100 } as const
    pty.prints(prompt)
    const ending = wait(session, [ready])
    await agentTypes(session, Buffer.from('ls\r'))
    pty.reports(polls)
    assert.equal(session.turn().verdict.state, 'busy')
    pty.prints(`ls\r\n${mark.start}file\r\n${mark.end(0)}${prompt}`)
    pty.reports(polls)
    expect(await ending).toMatchObject({ verdict: { state: 'ready', kind: 'shell', confidence: 'certain' } })
  })

  test('a wait whose proof of rest never comes asks the host anew, and does not hang', async () => {
    const { clock, pty, session } = openFakeSession({ info: { shell: null } })
    const polls = { wait: 'poll', otherFds: 2, canonical: false, echo: false, timeoutMs: null } as const
    const ending = wait(session, [ready])
    pty.prints('Allow this? ')
    pty.reports(polls)
    await Promise.resolve()
    clock.advance(300)
    assert.deepEqual(pty.watched, [true])
    clock.advance(10)
    assert.deepEqual(pty.watched, [true, true])
    pty.reports(polls)
    expect(await ending).toMatchObject({ outcome: 'met', verdict: { state: 'ready' } })
  })

  test('a rest continues without callers, and is not counted anew by each caller', async () => {
    const { clock, pty, session } = openFakeSession()
    await agentTypes(session, Buffer.from('\x03'))
    pty.prints('^C\r\n$ ')
    session.watch()()
    pty.reports({ consumed: false })
    clock.advance(5_000)
    const verdict = session.freshVerdict(15)
    pty.reports({ consumed: false })
    assert.equal((await verdict).state, 'ready')
    clock.advance(5_000)
    const later = session.freshVerdict(15)
    pty.reports({ consumed: false, slices: 8 })
    clock.advance(15)
    assert.equal((await later).state, 'busy')
  })

  test('a terminal at rest is not busy because the first facts come late', async () => {
    const { clock, pty, session } = openFakeSession()
    await agentTypes(session, Buffer.from('\x03'))
    pty.prints('^C\r\n$ ')
    session.watch()()
    pty.reports({ consumed: false })
    clock.advance(5_000)
    const verdict = session.freshVerdict(15)
    clock.advance(15)
    await settled()
    clock.advance(300)
    pty.reports({ consumed: false })
    assert.equal((await verdict).state, 'ready')
  })

  test('without facts a look ends all the same: soon where there were none before, and later where a rest is known', async () => {
    const { clock, pty, session } = openFakeSession()
    const first = session.freshVerdict(15)
    clock.advance(15)
    assert.equal((await first).state, 'busy')
    pty.reports({ consumed: false })
    clock.advance(1_000)
    const second = session.freshVerdict(15)
    clock.advance(15)
    await settled()
    clock.advance(500)
    assert.equal((await second).state, 'busy')
  })

  test('facts flow while a caller waits, and a moment longer', async () => {
    const { clock, pty, session } = openFakeSession()
    const ending = session.wait({ conditions: [ready], since: 0, deadline: clock.now() + 50 })
    assert.deepEqual(pty.watched, [true])
    clock.advance(50)
    expect(await ending).toMatchObject({ outcome: 'timeout' })
    assert.deepEqual(pty.watched, [true])
    clock.advance(1_000)
    assert.deepEqual(pty.watched, [true, false])
    assert.equal(clock.pending, 0)
  })
})

describe('waits', () => {
  test('text printed before the wait does not satisfy it, text across its border does', async () => {
    const { pty, session } = openFakeSession()
    pty.prints('ready\r\nREA')
    const old = wait(session, [{ kind: 'text', text: 'ready' }])
    const across = wait(session, [{ kind: 'text', text: 'READY' }])
    pty.prints('DY\r\n')
    expect(await across).toMatchObject({ outcome: 'met', by: 'text' })
    assert.equal(await endingOf(old), null)
  })

  test('the echo of what was typed does not satisfy it, however the echo is cut', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 20 }), async (lengths) => {
        const { pty, session } = openFakeSession()
        pty.prints('$ ')
        const typed = 'echo DONE later && make'
        const ending = wait(session, [{ kind: 'text', text: 'DONE' }], { typed })
        let rest = `${typed}\r\nbuilding\r\n`
        for (const length of [...lengths, rest.length]) {
          if (rest === '') break
          pty.prints(rest.slice(0, length))
          rest = rest.slice(length)
        }
        assert.equal(await endingOf(ending), null)
        pty.prints('DONE\r\n')
        expect(await ending).toMatchObject({ outcome: 'met', by: 'text' })
      }),
    )
  })

  test('a text may come in any pieces', async () => {
    const { pty, session } = openFakeSession()
    const ending = wait(session, [{ kind: 'pattern', pattern: 'Listening on :\\d{4}' }])
    for (const piece of ['List', 'ening\x1b[', '1m on ', ':80', '8']) pty.prints(piece)
    assert.equal(await endingOf(ending), null)
    pty.prints('0')
    expect(await ending).toMatchObject({ outcome: 'met', by: 'pattern' })
  })

  test('a command that has finished is reported once the shell is at its prompt again', async () => {
    const { pty, session } = openFakeSession()
    pty.prints(`${mark.promptStart}$ ${mark.promptEnd}`)
    const ending = wait(session, [{ kind: 'command' }])
    pty.prints(`ls\r\n${mark.start}file\r\n${mark.end(0)}`)
    assert.equal(await endingOf(ending), null)
    pty.prints(`${mark.promptStart}$ ${mark.promptEnd}`)
    expect(await ending).toMatchObject({ outcome: 'met', by: 'command' })
  })

  test('quiet begins with the last output', async () => {
    const { clock, pty, session } = openFakeSession()
    pty.prints('x')
    const ending = wait(session, [{ kind: 'quiet', ms: 100 }])
    clock.advance(99)
    pty.prints('y')
    clock.advance(99)
    assert.equal(await endingOf(ending), null)
    clock.advance(1)
    expect(await ending).toMatchObject({ outcome: 'met', by: 'quiet' })
  })

  test('the deadline is an outcome', async () => {
    const { clock, session } = openFakeSession()
    const ending = session.wait({ conditions: [{ kind: 'exit' }], since: 0, deadline: clock.now() + 100 })
    clock.advance(99)
    assert.equal(await endingOf(ending), null)
    clock.advance(1)
    expect(await ending).toMatchObject({ outcome: 'timeout' })
  })

  test('a caller that goes away takes its wait with it', async () => {
    const { session } = openFakeSession()
    const abort = new AbortController()
    const ending = session.wait({ conditions: [{ kind: 'exit' }], since: 0, deadline: 1e9, signal: abort.signal })
    abort.abort()
    expect(await ending).toMatchObject({ outcome: 'cancelled' })
  })

  test('closing ends them as exited', async () => {
    const { pty, session } = openFakeSession()
    const ending = wait(session, [{ kind: 'text', text: 'never' }])
    await session.close({ graceMs: 1, leaveDaemons: false })
    expect(await ending).toMatchObject({ outcome: 'exited' })
    assert.equal(pty.isClosed, true)
  })

  test('a command has ended when its prompt is on the screen, not when it has only arrived', async () => {
    const { pty, session } = openFakeSession()
    await session.screen()
    const ending = wait(session, [{ kind: 'command' }], { since: 0 })
    pty.prints(`${mark.start}${drawnLater}one\r\n${mark.end(3)}${mark.promptStart}$ ${mark.promptEnd}`)
    assert.equal(await endingOf(ending), null)
    await session.screen()
    expect(await endingOf(ending)).toMatchObject({ outcome: 'met', by: 'command' })
  })

  test('a little output is on the screen as soon as it comes', async () => {
    const { pty, session } = openFakeSession()
    const screen = await session.screen()
    pty.prints('one')
    assert.equal(screen.cursorRow().before, 'one')
    assert.equal(session.parsedTo, 3)
  })

  test('a caller that waits for the screen while it is closed still gets it', async () => {
    const { pty, session } = openFakeSession()
    pty.prints('last words')
    const screen = session.screen()
    await session.close({ graceMs: 1, leaveDaemons: false })
    assert.equal((await screen).snapshot().text[0], 'last words')
  })

  test('calls that are still about a closed session see all that had arrived', async () => {
    const { pty, session } = openFakeSession()
    await session.screen()
    pty.prints('one\r\n')
    await session.close({ graceMs: 1, leaveDaemons: false })
    const screen = session.screen()
    assert.equal(session.parsedTo, 5)
    assert.equal((await screen).snapshot().text[0], 'one')
  })

  test('there is a limit to them, and a wait that ends makes room', async () => {
    const { clock, session } = openFakeSession()
    const deadline = clock.now() + 10
    const open = () => session.wait({ conditions: [{ kind: 'exit' }], since: 0, deadline })
    const waits = Array.from({ length: waitsPerSessionMax }, open)
    const error = await open().catch((reason: unknown) => reason)
    assert.ok(isTermError(error) && error.code === 'limit_reached')
    clock.advance(10)
    await Promise.all(waits)
    void open()
  })
})

describe('questions of the program', () => {
  test('are answered once, and the program is not ready before that', async () => {
    const { pty, session } = openFakeSession()
    pty.prints(`${drawnLater}\x1b[H\x1b[6n`)
    pty.reports()
    assert.equal(session.turn().verdict.state, 'busy')
    await session.screen()
    assert.equal(pty.written, '\x1b[1;1R')
    await session.screen()
    pty.prints('x')
    await session.screen()
    assert.equal(pty.written, '\x1b[1;1R')
  })

  test.each([
    ['what a setting is', '\x1bP$qr\x1b\\', '\x1bP1$r1;24r\x1b\\'],
    ['the size in characters', '\x1b[18t', '\x1b[8;24;80t'],
  ])('are answered when they are asked: %s', async (_, question, answer) => {
    const { pty, session } = openFakeSession()
    pty.prints(question)
    await session.screen()
    assert.equal(pty.written, answer)
  })

  test('that we do not know are not answered when a screen is asked for later', async () => {
    const { pty, session } = openFakeSession()
    // The 8-bit form, in UTF-8: the emulator knows it, the scanner of marks does not.
    pty.prints('\u009b6n')
    await session.screen()
    assert.equal(pty.written, '')
    pty.prints('\x1b[5n')
    await session.screen()
    assert.equal(pty.written, '\x1b[0n')
  })

  test('in history were answered by another engine', async () => {
    const { pty, session } = openFakeSession({ history: { end: 4, exited: false } })
    pty.prints('\x1b[6n')
    await session.screen()
    assert.equal(pty.written, '')
    pty.prints('ab\x1b[6n')
    await session.screen()
    assert.equal(pty.written, '\x1b[1;3R')
  })
})

test('what a program prints the moment it has a new size is drawn in that size', async () => {
  const { pty, session } = openFakeSession()
  await session.screen()
  const resizing = session.resize({ cols: 100, rows: 10 })
  pty.prints(`${'y'.repeat(90)}\r\n`)
  await resizing
  assert.ok((await session.screen()).snapshot().text.includes('y'.repeat(90)))
})

test('a new size holds for what is printed after it, on a screen that is made later too', async () => {
  const { pty, session } = openFakeSession()
  pty.prints(`${'x'.repeat(90)}\r\n`)
  await session.resize({ cols: 100, rows: 10 })
  pty.prints(`${'y'.repeat(90)}\r\n`)
  assert.deepEqual(pty.sizes, [{ cols: 100, rows: 10 }])
  const { text, cols, rows } = (await session.screen()).snapshot()
  assert.deepEqual([cols, rows], [100, 10])
  assert.ok(text.includes('y'.repeat(90)))
})

test('a program that reads the answer of its terminal is not taken for one that waits, when all of it comes together', async () => {
  const { session, pty } = openFakeSession()
  const waiting = wait(session, [ready])
  const reads = { wait: 'read', waiter: 200, waiterThread: 200, canonical: false, echo: false } as const
  // Facts, a question to the terminal, and facts of the read that takes the answer, in one piece of news.
  pty.reports({ ...reads, wait: 'none', activity: 'runs' })
  pty.prints('\x1b[6n')
  pty.reports(reads)
  await Promise.resolve()
  await Promise.resolve()
  expect(pty.written).toBe('\x1b[1;1R')
  expect(await endingOf(waiting)).toBeNull()
})
