/** Known faults of terminal harnesses, avoided here: each typed as Terminus types it. */

import { type Env, makeEnv } from 'agentpty/gym'
import { afterAll, beforeAll, expect, test } from 'vitest'

let env: Env

beforeAll(async () => {
  env = await makeEnv({ stepTimeoutMs: 30_000 })
})

afterAll(() => env.close())

const inside = async (command: string) => Buffer.from((await env.exec(command)).stdout).toString()
const ready = { terminated: false, truncated: false, info: { state: 'ready' } }

test('a line of 60 KB is typed completely', async () => {
  await env.reset()
  const word = 'abcdefghij'.repeat(6_000)
  expect(await env.step({ keystrokes: `printf %s ${word} > long\n`, duration: 30 })).toMatchObject(ready)
  expect(await inside('cat long')).toBe(word)
})

test('a here-document of 24 KB ends at its delimiter, and the prompt is back', async () => {
  await env.reset()
  const content = Array.from({ length: 800 }, (_, at) => `line ${at} of $HOME and \`date\` "'\\`.padEnd(30, '.')).join(
    '\n',
  )
  const step = await env.step({ keystrokes: `cat > file <<'EOF'\n${content}\nEOF\n`, duration: 30 })
  expect(step).toMatchObject(ready)
  expect(await inside('cat file')).toBe(`${content}\n`)
  expect((await env.step('echo $?')).observation).toMatch(/^0\n/)
})

test('a command that discards input, like apt, ends its step automatically', async () => {
  await env.reset()
  const flush =
    'python3 -c "import termios, time; time.sleep(0.3); termios.tcflush(0, termios.TCIFLUSH); raise SystemExit(4)"'
  const step = await env.step({ keystrokes: `${flush}\n`, duration: 30 })
  expect(step).toMatchObject({ ...ready, info: { state: 'ready', exitCode: 4 } })
})

test('C-c is not queued behind 10 KB of unread input', async () => {
  await env.reset()
  await env.step({ keystrokes: 'sleep 600\n', duration: 0.2 })
  await env.step({ keystrokes: `${'echo unread; '.repeat(800)}\n`, duration: 0.2 })
  const step = await env.step({ keystrokes: 'C-c', duration: 30 })
  expect(step.info.state).toBe('ready')
  expect(await inside('pgrep -c sleep || true')).toBe('0\n')
})

test.each(['-n', '; echo semicolon', '--help-me', '#{pane_id}', ';'])(
  'text that looks like an option or a separator is typed verbatim: %s',
  async (text) => {
    await env.reset()
    await env.step({ keystrokes: 'cat > typed\n', duration: 1 })
    await env.step({ keystrokes: `${text}\n`, duration: 1 })
    await env.step({ keystrokes: 'C-d', duration: 30 })
    expect(await inside('cat typed')).toBe(`${text}\n`)
  },
)

test('processes left by a player cannot write during the verdict', async () => {
  await env.reset()
  await env.step('(while :; do date > written; done) & setsid sh -c "sleep 60" & true')
  await env.exec('true', { sweep: true })
  expect(await inside('rm written; sleep 0.3; ls; pgrep -c sleep || true')).toBe('0\n')
})
