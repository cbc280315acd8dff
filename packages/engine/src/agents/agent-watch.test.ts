import assert from 'node:assert/strict'
import { describe, expect, test } from 'vitest'
import type { MarkBody } from '../marks/parse-osc.ts'
import { AgentWatch } from './agent-watch.ts'
import type { AgentReport } from './program-status.ts'
import type { ScreenText } from './screen-signs.ts'

/** A program that says things at one moment after another. */
class Program {
  readonly watch = new AgentWatch()
  now = 0
  screen: ScreenText | null = null

  says(body: MarkBody, after = 10): this {
    this.now += after
    this.watch.apply({ ...body, offset: 0, end: 1 }, this.now)
    return this
  }

  reports(raw: string, after = 10): this {
    return this.says({ kind: 'program-status', raw }, after)
  }

  titled(title: string, after = 10): this {
    return this.says({ kind: 'title', title }, after)
  }

  shows(text: string, cursorVisible = true, after = 10): this {
    this.now += after
    this.screen = { rows: text.split('\n'), cursorVisible }
    this.report()
    return this
  }

  typed(keys = 'k'): this {
    this.watch.typed(Buffer.from(keys))
    return this
  }

  report(after = 0): AgentReport | null {
    this.now += after
    return this.watch.report(this.watch.needsScreen ? this.screen : null, this.now)
  }
}

const state = (program: Program): readonly [string | undefined, boolean | undefined] => {
  const report = program.report()
  return [report?.state, report?.current]
}

test('a program that says nothing has no report', () => {
  assert.equal(new Program().titled('vim notes.txt').shows('~\n~\n').report(), null)
})

describe('by its reports', () => {
  test('it works, asks and is done', () => {
    const program = new Program().reports('state=idle:app=x')
    assert.deepEqual(state(program), ['idle', true])
    assert.deepEqual(state(program.typed().reports('state=working')), ['working', true])
    assert.deepEqual(state(program.reports('state=done')), ['idle', true])
  })

  test('its last words on the screen may follow its report, so it must be quiet, but not for ever', () => {
    const program = new Program().reports('state=working').reports('state=done')
    expect(program.report()).toMatchObject({ state: 'idle', quietMs: 120 })
    expect(program.report(1_500)).toMatchObject({ state: 'idle', quietMs: 0 })
  })

  test('what it said before an input is not current any more', () => {
    assert.deepEqual(state(new Program().reports('state=done').typed()), ['idle', false])
  })

  test('idle after done is no end of a turn: it only noticed a key', () => {
    const program = new Program().reports('state=working').reports('state=done').typed().reports('state=idle')
    assert.deepEqual(state(program), ['idle', false])
    assert.deepEqual(state(program.reports('state=working').reports('state=idle')), ['idle', true])
  })

  test('interrupted, it is idle without having been done', () => {
    assert.deepEqual(state(new Program().reports('state=working').typed().reports('state=idle')), ['idle', true])
  })

  test('a question counts a moment after it can be read, or a second after it was announced', () => {
    const program = new Program().reports('state=working').reports('state=blocked:kind=permission:msg=bHM=')
    assert.equal(program.report()?.state, 'working')
    program.shows(' Run it?\n ❯ 1. Yes\n   2. No\n Esc to cancel', false)
    expect(program.report(250)).toMatchObject({ state: 'blocked', question: 'ls', current: true })
    const blind = new Program().reports('state=working').reports('state=blocked')
    const { until } = blind.report() ?? {}
    assert.equal(until, blind.now + 1_000)
    assert.equal(blind.report(1_000)?.state, 'blocked')
  })

  test('an agent below the program that is blocked blocks it', () => {
    const program = new Program().reports('state=working').reports('state=blocked:id=agents/a:kind=question')
    assert.equal(program.report(2_000)?.state, 'blocked')
  })

  test('a shell’s prompt ends it', () => {
    assert.equal(new Program().reports('state=working').says({ kind: 'prompt-start' }).report(), null)
  })
})

describe('by its title', () => {
  test('a title that comes before anything is drawn is too early', () => {
    const program = new Program().titled('◇  Ready (work)').shows('\n')
    assert.equal(program.report()?.state, 'working')
    assert.deepEqual(state(program.shows('> Type your message')), ['idle', true])
    assert.equal(new Program().titled('◇  Ready (work)').shows('\n').report(10_000)?.state, 'idle')
  })

  test('it is ready, works and asks', () => {
    const program = new Program().titled('◇  Ready (work)')
    assert.deepEqual(state(program), ['idle', true])
    assert.deepEqual(state(program.typed().titled('✦  Working… (work)')), ['working', true])
    program.titled('✋  Action Required (work)')
    expect(program.report(1_000)).toMatchObject({ state: 'blocked', current: true, confidence: 'high' })
    assert.deepEqual(state(program.typed().titled('✦  Working… (work)').titled('◇  Ready (work)')), ['idle', true])
  })

  test('a spinner that has gone means idle', () => {
    assert.deepEqual(state(new Program().titled('⠋ fix | work').titled('fix | work')), ['idle', true])
  })

  test('a notification is the question where nothing else says it', () => {
    const program = new Program().titled('⠋ work').says({ kind: 'notification', text: 'Approval requested: ls' })
    expect(program.titled('[ ! ] Action Required').report(1_000)).toMatchObject({ question: 'Approval requested: ls' })
  })

  test('another program in the foreground has said nothing yet', () => {
    const program = new Program().titled('⠋ work')
    program.watch.programChanged()
    assert.equal(program.report(), null)
  })
})

describe('by its screen', () => {
  const idle = 'an answer\n> \n  ~/work   ctrl+p commands'
  const working = 'a part of\n> \n  ■■⬝⬝  esc interrupt'
  const dialog = '△ Permission required\n Allow once  Reject   ⇆ select  enter confirm'

  test('it works while it says how to interrupt it, and must be still to be idle', () => {
    const program = new Program().shows(working)
    expect(program.report()).toMatchObject({ state: 'working', motionlessMs: 2_000 })
    expect(program.shows(idle).report()).toMatchObject({ state: 'idle', current: true, quietMs: 400 })
  })

  test('progress that it shows (OSC 9;4) says more than its screen', () => {
    const progress = (state: number) => ({ kind: 'progress', state, value: null }) as const
    const program = new Program().shows(idle).says(progress(3))
    expect(program.report()).toMatchObject({ state: 'working', confidence: 'high' })
    expect(program.says(progress(0)).report()).toMatchObject({ state: 'idle', quietMs: 120, confidence: 'high' })
  })

  test('it asks while it offers choices', () => {
    const program = new Program().shows(working).shows(dialog, false)
    expect(program.report()).toMatchObject({ state: 'blocked', question: '△ Permission required', current: true })
  })

  test('a dialog that is still there after a key is not a new one', () => {
    assert.deepEqual(state(new Program().shows(working).shows(dialog, false).typed()), ['blocked', false])
  })

  test('a dialog takes an arrow once it points at something else, and an answer only once it has gone', () => {
    const first = 'Use a router?\n● No\n○ Yes'
    const second = 'Use a router?\n○ No\n● Yes'
    const program = new Program().shows(first, false)
    assert.deepEqual(state(program.typed('\x1b[B')), ['blocked', false])
    assert.deepEqual(state(program.shows(second, false)), ['blocked', true])
    assert.deepEqual(state(program.typed('\r').shows(first, false)), ['blocked', false])
    assert.deepEqual(state(program.typed('1').shows(second, false)), ['blocked', false])
  })

  test('a screen without any sign is no agent’s', () => {
    assert.equal(new Program().shows('File Edit View\n\n~\n~').report(), null)
  })
})
