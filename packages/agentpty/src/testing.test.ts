import { expect, test } from 'vitest'
import { type FakeTerminals, openFakeTerminals, waitingForLine } from './testing.ts'

const turn = () => new Promise(setImmediate)

/** Lets a little time pass, until what is under way has seen it. */
async function settle({ clock }: FakeTerminals): Promise<void> {
  for (let round = 0; round < 10; round++) {
    await turn()
    clock.advance(10)
  }
  await turn()
}

test('a test plays the program: it prints, waits, reads and ends', async () => {
  const fake = openFakeTerminals()
  const { terminals, pty } = fake
  const opening = terminals.open({ command: ['installer'], cwd: '/', waitFor: { text: 'Go on?' } })
  await settle(fake)
  pty(1).prints('Go on? ')
  await settle(fake)
  const session = await opening
  const sending = session.send('yes', { waitFor: 'exit' })
  await settle(fake)
  expect(pty(1).written).toBe('yes\r')
  pty(1).prints('yes\r\ndone\r\n')
  pty(1).exits({ code: 0, signal: null })
  await settle(fake)
  expect(await sending).toMatchObject({
    outcome: 'met',
    state: 'exited',
    output: expect.stringContaining('done'),
    exitCode: 0,
  })
  await session.close()
})

test('whose turn it is follows from the facts that the test gives', async () => {
  const fake = openFakeTerminals()
  const { terminals, clock, pty } = fake
  const opening = terminals.open({ command: ['asks'], cwd: '/', waitFor: 'ready' })
  await settle(fake)
  pty(1).prints('name? ')
  pty(1).reports({ ...waitingForLine, offset: 6, at: clock.now() })
  await settle(fake)
  const session = await opening
  const reading = session.read()
  await turn()
  // A host sends the facts again when a client starts to watch.
  pty(1).reports({ ...waitingForLine, offset: 6, at: clock.now() })
  await settle(fake)
  expect(await reading).toMatchObject({ state: 'ready', kind: 'line', output: 'name?' })
})

test('time passes only when the test advances the clock', async () => {
  const { terminals, clock } = openFakeTerminals()
  const opening = terminals.open({ command: ['silent'], cwd: '/', waitFor: { text: 'never' }, timeoutMs: 5_000 })
  await turn()
  let isOver = false
  void opening.then(() => {
    isOver = true
  })
  clock.advance(4_999)
  await turn()
  expect(isOver).toBe(false)
  clock.advance(1)
  await opening
})
