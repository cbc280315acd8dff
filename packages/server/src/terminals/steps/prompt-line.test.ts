import assert from 'node:assert/strict'
import { type FakeSession, mark, openFakeSession, testTypist } from '@agentpty/engine/testing'
import { expect, test } from 'vitest'
import { clearPrompt } from './prompt-line.ts'

const prompt = `${mark.promptStart}$ ${mark.promptEnd}`
const caller = { client: 'test', cwd: '/', env: {} }

/** A shell at its prompt, behind which something was typed. */
function withTextAtPrompt(): { readonly fake: FakeSession; readonly clearing: Promise<void> } {
  const fake = openFakeSession()
  fake.pty.prints(`${prompt}rm -rf `)
  return {
    fake,
    clearing: clearPrompt(fake.clock, fake.session, { typist: testTypist(fake.session, false), context: caller }),
  }
}

/** Lets waiting code react to the events so far. */
const settled = () => new Promise(setImmediate)

test('a shell that waits again before it has drawn its fresh prompt is waited for', async () => {
  const { fake, clearing } = withTextAtPrompt()
  await settled()
  assert.equal(fake.pty.written, '\x03')
  fake.pty.reports()
  await settled()
  fake.pty.prints(`^C\r\n${prompt}`)
  await settled()
  fake.pty.reports()
  await clearing
})

test('a shell that has lost the key is given it again', async () => {
  const { fake, clearing } = withTextAtPrompt()
  await settled()
  fake.pty.reports()
  await settled()
  fake.clock.advance(100)
  await settled()
  assert.equal(fake.pty.written, '\x03\x03')
  fake.pty.prints(`^C\r\n${prompt}`)
  await settled()
  fake.pty.reports()
  await clearing
})

test('one that never draws a fresh prompt is an error that says so', async () => {
  const { fake, clearing } = withTextAtPrompt()
  const failing = expect(clearing).rejects.toMatchObject({ code: 'shell_busy' })
  await settled()
  fake.pty.reports()
  await settled()
  fake.clock.advance(5_000)
  await failing
})
