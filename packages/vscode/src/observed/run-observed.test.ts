import { FakeClock } from '@agentpty/protocol/testing'
import { beforeEach, expect, test } from 'vitest'
import { settled } from '../testing/fake-daemon.ts'
import { FakeEditorTerminal } from '../testing/fake-observed.ts'
import { CancellationTokenSource, editor, forgetAll } from '../testing/vscode.ts'
import { judgeBy } from './judge.ts'
import { ObservedTerminals } from './observed-terminals.ts'
import { listTool, runTool } from './observed-tool-words.ts'
import { type PolicyVerdict, registerObservedTools } from './observed-tools.ts'
import { OutputEnds, shownOutput } from './run-observed.ts'

beforeEach(forgetAll)

const allowed: PolicyVerdict = { verdict: 'allow', rule: '', reason: '', personReason: '' }

/** Opens one terminal at its prompt, with the tools. */
function open(judged: PolicyVerdict = allowed) {
  const bash = new FakeEditorTerminal('bash', { cwd: '/work' })
  editor.observed.push(bash)
  const clock = new FakeClock()
  const observed = new ObservedTerminals({ isOurs: () => false, clock })
  const asked: string[] = []
  const judge = async (line: string, cwd: string) => {
    asked.push(`${cwd} ${line}`)
    return judged
  }
  registerObservedTools({ observed, clock, judge })
  bash.begins('true')(0)
  const call = async (name: string, input: object) => {
    const tool = editor.tools.get(name)
    if (tool === undefined) throw new Error(`no tool ${name}`)
    const { content } = await tool.invoke({ input }, new CancellationTokenSource().token)
    return JSON.parse(content[0]?.value ?? '')
  }
  const run = (command: string, more: object = {}) => call(runTool, { terminal: 'editor-1', command, ...more })
  /** The execution of the last line, as the editor reports it. */
  const running = () => {
    const execution = bash.ran.at(-1)
    if (execution === undefined) throw new Error('Nothing runs.')
    return { execution, end: bash.begins(execution.commandLine.value, execution) }
  }
  return { bash, clock, call, run, running, asked }
}

test('a line runs, and its output and exit code are returned', async () => {
  const { run, running, asked } = open()
  const answer = run('make')
  await settled()
  const { execution, end } = running()
  execution.prints('\x1b]633;C\x07one\r\n')
  execution.prints('10%\r100%\r\n\x1b[31mtwo\x1b[0m\r\n')
  end(2)
  expect(await answer).toEqual({ outcome: 'ended', exitCode: 2, output: 'one\n100%\ntwo' })
  expect(asked).toEqual(['/work make'])
})

test('nothing is run in a busy terminal, because the editor would press ctrl+c first', async () => {
  const { bash, run } = open()
  bash.begins('sleep 9')
  expect(await run('ls')).toMatchObject({ code: 'shell_busy' })
  expect(bash.ran).toEqual([])
})

test('nothing is run if the shell reports nothing', async () => {
  const { bash, run } = open()
  bash.shellIntegration = undefined
  expect(await run('ls')).toMatchObject({ code: 'not_a_shell' })
})

test('a slow command is reported as running, with its output so far', async () => {
  const { run, running, clock } = open()
  const answer = run('sleep 9', { timeoutMs: 1_000 })
  await settled()
  running().execution.prints('started\n')
  await settled()
  clock.advance(1_000)
  expect(await answer).toEqual({ outcome: 'timeout', output: 'started' })
})

test('a denied line does not run', async () => {
  const { bash, run } = open({ verdict: 'deny', rule: 'root-wipe', reason: 'No.', personReason: 'Yours.' })
  expect(await run('rm -rf /')).toMatchObject({ code: 'denied', message: 'The policy refuses it: root-wipe.' })
  expect(bash.ran).toEqual([])
})

const ask: PolicyVerdict = {
  verdict: 'ask',
  rule: 'deletion',
  reason: 'Name what you made.',
  personReason: 'It deletes files.',
}

test('a line that needs approval runs after a person has seen all of it and allows it', async () => {
  const { run, running } = open(ask)
  const answer = run('rm -rf build')
  await settled()
  editor.asked[0]?.answer('Look')
  await settled()
  const [, decision] = editor.asked
  expect(decision?.options).toEqual({ modal: true, detail: 'rm -rf build\n\ndeletion: It deletes files.' })
  expect(decision?.choices).toEqual(['Refuse', 'Run It'])
  decision?.answer('Run It')
  await settled()
  running().end(0)
  expect(await answer).toMatchObject({ outcome: 'ended', exitCode: 0 })
})

test('a refusal or a dismissed question prevents the run', async () => {
  const { bash, run } = open(ask)
  const answer = run('rm -rf build')
  await settled()
  editor.asked[0]?.answer(undefined)
  expect(await answer).toMatchObject({ code: 'not_approved' })
  expect(bash.ran).toEqual([])
})

test('a late answer counts for the next call, once', async () => {
  const { run, running, clock } = open(ask)
  const first = run('rm -rf build')
  await settled()
  clock.advance(45_000)
  expect(await first).toMatchObject({ code: 'needs_approval' })
  editor.asked[0]?.answer('Look')
  await settled()
  editor.asked[1]?.answer('Run It')
  await settled()
  const second = run('rm -rf build')
  await settled()
  running().end(0)
  expect(await second).toMatchObject({ outcome: 'ended' })
  void run('rm -rf build')
  await settled()
  expect(editor.asked).toHaveLength(3)
})

test('several lines are refused, and an unknown terminal lists the known ones', async () => {
  const { call, run } = open()
  expect(await run('ls\nrm x')).toMatchObject({ code: 'invalid_input' })
  expect(await call(runTool, { terminal: 'nope', command: 'ls' })).toMatchObject({ hint: 'There are: editor-1.' })
})

test('the list contains the known facts, without secrets', async () => {
  const { bash, call } = open()
  bash.begins(`echo ghp_${'a1B2'.repeat(9)}`)(0)
  expect(await call(listTool, {})).toEqual({
    terminals: [
      {
        id: 'editor-1',
        name: 'bash',
        pid: null,
        cwd: '/work',
        state: 'ready',
        commands: [
          { line: 'echo [masked: GitHub token]', exitCode: 0, isOver: true },
          { line: 'true', exitCode: 0, isOver: true },
        ],
      },
    ],
  })
})

test('the beginning and the end of endless output are returned, with a note on the omitted part', () => {
  const ends = new OutputEnds()
  for (let count = 0; count < 1_000; count++) ends.add(`${count}`.padEnd(1_000, '.'))
  expect(ends.text.length).toBeLessThan(260_000)
  const shown = shownOutput(ends.text)
  expect(shown.length).toBeLessThan(9_200)
  expect(shown).toMatch(/^0\.\.\./)
  expect(shown).toMatch(/characters left out/)
})

test('a line that cannot be judged does not run', async () => {
  await expect(judgeBy(async () => ({ error: 'x' }))('ls', '/')).rejects.toMatchObject({ code: 'internal' })
  const answer = { verdict: 'ask', rule: 'deletion', reason: 'because', personReason: 'it deletes' }
  expect(await judgeBy(async () => answer)('ls', '/')).toEqual(answer)
})
