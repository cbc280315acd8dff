/** Programs that speak the protocol: each lists the tools, opens a terminal whose program asks, answers it and reads the result. */

import assert from 'node:assert/strict'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { AgentHome } from './agent-home.ts'
import { Matrix } from './matrix.ts'
import { packages } from './packages.ts'
import { programs } from './programs.ts'
import type { Speaker, Transport } from './speaker.ts'

const testTimeoutMs = 180_000
const matrix = new Matrix('programs')
let home: AgentHome

beforeAll(() => packages.install(), testTimeoutMs)

beforeEach(() => {
  home = new AgentHome()
})

afterEach(async () => {
  assert.deepEqual(await home.close(), [])
})

afterAll(() => matrix.report())

const cases = programs.flatMap((program) =>
  (Object.keys(program.ways) as Transport[]).map((way) => [program.name, program.era, way, program] as const),
)

test.each(cases)(
  '%s of %s over %s has its turn with a program that asks',
  async (name, era, way, { version, ways }) => {
    await matrix.running({ client: name, version, way }, async () => {
      const speaker = await ways[way]!(home)
      await takeTurn(speaker)
      await speaker.close()
      assert.equal(home.spoken(way), era)
      return era
    })
  },
  testTimeoutMs,
)

async function takeTurn(speaker: Speaker): Promise<void> {
  expect((await speaker.tools()).map(({ name }) => name)).toContain('terminal_create')
  const command = `python3 -c "name = input('Name? '); print('Hello', name + '!')"`
  const { structuredContent: opened } = await speaker.call('terminal_create', { command })
  expect(opened).toMatchObject({ output: 'Name?', state: 'ready' })
  const terminalId = String(opened?.['terminalId'])
  const answered = await speaker.call('terminal_send', { terminalId, text: 'Ada' })
  expect(answered.structuredContent).toMatchObject({ output: 'Hello Ada!', state: 'exited' })
  expect(JSON.parse(answered.content[0]?.text ?? '')).toMatchObject({ output: 'Hello Ada!' })
  expect((await speaker.resources()).map(({ uri }) => uri)).toContain(`terminal://${terminalId}/log`)
  expect(await speaker.read(`terminal://${terminalId}/screen`)).toContain('Hello Ada!')
  const { isError, structuredContent: wrong } = await speaker.call('terminal_read', { terminalId: 'term-99' })
  assert.equal(isError, true)
  expect(wrong).toMatchObject({ code: 'session_not_found', message: expect.stringContaining('term-99') })
}
