import assert from 'node:assert/strict'
import { type FakeSession, mark, openFakeSession, testTypist } from '@agentpty/engine/testing'
import type { WriteResult } from '@agentpty/protocol'
import { describe, expect, test } from 'vitest'
import type { EngineContext } from '../../call/pipeline.ts'
import { noteOf, typeText, waitDuringWrite } from './type-text.ts'

function type({ clock, session }: FakeSession, text: string, submit = true, latest = Number.POSITIVE_INFINITY) {
  return typeText({ clock } as unknown as EngineContext, session, text, {
    submit,
    latest,
    typist: testTypist(session, false),
  })
}

/** Time, in steps that let everybody see each. */
async function pass({ clock }: FakeSession, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 10) {
    clock.advance(10)
    await new Promise(setImmediate)
  }
}

const bracketedPaste = '\x1b[?2004h'
const alternateScreen = '\x1b[?1049h'

test.each<[string, string, string, boolean, string]>([
  ['a line with its Enter', '', 'ls', true, 'ls\r'],
  ['a line alone', '', 'ls', false, 'ls'],
  ['Enter alone', '', '', true, '\r'],
  ['lines as lines', '', 'a\nb', true, 'a\rb\r'],
  [
    'lines as one paste',
    `${mark.promptStart}$ ${mark.promptEnd}${bracketedPaste}`,
    'a\nb',
    true,
    '\x1b[200~a\rb\x1b[201~\r',
  ],
  ['one line as typed where paste is on', bracketedPaste, 'ls', true, 'ls\r'],
])('%s', async (_name, before, text, submit, want) => {
  const fake = openFakeSession()
  fake.pty.prints(before)
  const { written } = await type(fake, text, submit)
  await written
  assert.equal(fake.pty.written, want)
})

describe('a full-screen program', () => {
  test('gets Enter apart from the text, when it has drawn it', async () => {
    const fake = openFakeSession()
    fake.pty.prints(alternateScreen)
    const typing = type(fake, 'hello')
    fake.clock.advance(20)
    fake.pty.prints('h')
    fake.clock.advance(20)
    assert.equal(fake.pty.written, 'hello')
    fake.clock.advance(5)
    await (await typing).written
    assert.equal(fake.pty.written, 'hello\r')
  })

  test('that is too busy to read gets it once it has read the text', async () => {
    const fake = openFakeSession()
    fake.pty.prints(alternateScreen)
    const release = fake.session.watch()
    const typing = type(fake, 'hello')
    fake.pty.reports({ unread: 5 })
    await pass(fake, 1_000)
    assert.equal(fake.pty.written, 'hello')
    fake.pty.reports({ unread: 0 })
    await pass(fake, 300)
    await (await typing).written
    assert.equal(fake.pty.written, 'hello\r')
    release()
  })

  test('that does not read gets it when there is no more time', async () => {
    const fake = openFakeSession()
    fake.pty.prints(alternateScreen)
    const release = fake.session.watch()
    const typing = type(fake, 'hello', true, fake.clock.now() + 100)
    fake.pty.reports({ unread: 5 })
    await pass(fake, 90)
    assert.equal(fake.pty.written, 'hello')
    await pass(fake, 10)
    await (await typing).written
    assert.equal(fake.pty.written, 'hello\r')
    release()
  })

  test('that draws without end gets it nevertheless', async () => {
    const fake = openFakeSession()
    fake.pty.prints(alternateScreen)
    const typing = type(fake, 'hello')
    for (let ms = 0; ms < 250; ms += 10) {
      fake.pty.prints('x')
      fake.clock.advance(10)
    }
    await (await typing).written
    assert.equal(fake.pty.written, 'hello\r')
  })
})

describe('a program with an input box', () => {
  /** Opens an input box like those of agents: the program edits the text itself, in an event loop. */
  function openInputBox(): FakeSession & { readonly release: () => void } {
    const fake = openFakeSession()
    fake.pty.prints(bracketedPaste)
    const release = fake.session.watch()
    fake.pty.reports({ wait: 'epoll', canonical: false, echo: false })
    return { ...fake, release }
  }

  test('gets Enter only once it has drawn the text, however long that takes', async () => {
    const fake = openInputBox()
    const typing = type(fake, 'hello there')
    await pass(fake, 1_000)
    fake.pty.prints('\x1b[5;1Hworking...')
    await pass(fake, 1_000)
    assert.equal(fake.pty.written, 'hello there')
    fake.pty.prints('\x1b[2;1H> hello there')
    await pass(fake, 300)
    await (await typing).written
    assert.equal(fake.pty.written, 'hello there\r')
    fake.release()
  })

  test('that hides what is typed gets it nevertheless', async () => {
    const fake = openInputBox()
    const typing = type(fake, 'secret')
    await pass(fake, 4_000)
    await (await typing).written
    assert.equal(fake.pty.written, 'secret\r')
    fake.release()
  })
})

describe('the note', () => {
  test.each<[string, WriteResult, RegExp | null]>([
    ['nothing where the input simply arrived', { result: 'written' }, null],
    [
      'the signal and what was dropped',
      { result: 'interrupted', signal: 'SIGINT', droppedBytes: 12 },
      /SIGINT.*12 bytes/,
    ],
    ['what was dropped', { result: 'dropped', droppedBytes: 12 }, /12 bytes/],
  ])('says %s', (_name, result, want) => {
    if (want === null) assert.equal(noteOf(result), undefined)
    else assert.match(noteOf(result) ?? '', want)
  })

  test('waits a moment for a write that is not done when the wait is', async () => {
    const { clock } = openFakeSession()
    const never = new Promise<WriteResult>(() => {})
    const waiting = waitDuringWrite({ clock, keyboard: { gating: null } }, never, async () => null)
    await new Promise(setImmediate)
    clock.advance(1_000)
    expect((await waiting).note).toContain('not read all')
  })

  test('does not wait for the effect of what could not be typed', async () => {
    const { clock } = openFakeSession()
    let isCancelled = false
    const waiting = waitDuringWrite(
      { clock, keyboard: { gating: null } },
      Promise.reject(new Error('refused')),
      (cancelWith) => {
        cancelWith(() => {
          isCancelled = true
        })
        return new Promise(() => {})
      },
    )
    await assert.rejects(waiting, /refused/)
    assert.ok(isCancelled)
  })
})
