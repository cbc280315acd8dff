import { FakeClock } from '@agentpty/protocol/testing'
import { beforeEach, expect, test } from 'vitest'
import { settled } from '../testing/fake-daemon.ts'
import { FakeEditorTerminal } from '../testing/fake-observed.ts'
import { editor, forgetAll } from '../testing/vscode.ts'
import { ObservedTerminals, observedFolder, observedName } from './observed-terminals.ts'
import { ObservedView } from './observed-view.ts'
import { isInFront } from './shell-in-front.ts'

beforeEach(forgetAll)

function observe(...there: readonly FakeEditorTerminal[]) {
  editor.observed.push(...there)
  const clock = new FakeClock()
  const seen: { inFront: boolean | null } = { inFront: null }
  const isOurs = (terminal: { readonly name: string }) => terminal.name === 'ours'
  const observed = new ObservedTerminals({ isOurs, clock, inFront: () => seen.inFront })
  const changes = { count: 0 }
  observed.onDidChange(() => changes.count++)
  const view = new ObservedView(observed)
  const lines = () => {
    const [top] = view.getChildren()
    return view.getChildren(top).map((node) => {
      const { label, description } = view.getTreeItem(node)
      return `${String(label)} · ${String(description)}`
    })
  }
  return { observed, clock, changes, seen, lines }
}

const open = (terminal: FakeEditorTerminal) => editor.opened.fire(terminal as never)

test('existing and new terminals are listed; ours are not, and closed ones are removed', () => {
  const bash = new FakeEditorTerminal('bash')
  const fish = new FakeEditorTerminal('fish')
  const { observed } = observe(bash, new FakeEditorTerminal('ours'))
  open(fish)
  open(new FakeEditorTerminal('ours'))
  expect(observed.all.map(observedName)).toEqual(['bash', 'fish'])
  editor.events.closed.fire(bash)
  expect(observed.all.map(({ id }) => id)).toEqual(['editor-2'])
})

test('commands are listed with their outcomes, newest first', () => {
  const bash = new FakeEditorTerminal('bash')
  const { lines } = observe(bash)
  bash.begins('npm test')(1)
  bash.begins('ls')(0)
  bash.begins('sleep 9')
  expect(lines()).toEqual(['sleep 9 · runs', 'ls · exit code 0', 'npm test · exit code 1'])
})

test('a command without a reported end has ended when the next one starts', () => {
  const bash = new FakeEditorTerminal('bash')
  const { lines } = observe(bash)
  bash.begins('one')
  bash.begins('two')(undefined)
  expect(lines()).toEqual(['two · has ended', 'one · has ended'])
})

test('only the last commands of a terminal and the beginning of each line are stored', () => {
  const bash = new FakeEditorTerminal('bash')
  const { observed } = observe(bash)
  for (let count = 0; count < 50; count++) bash.begins(`${count} ${'x'.repeat(9_000)}`)(0)
  const [one] = observed.all
  expect(one?.commands).toHaveLength(20)
  expect(one?.commands[0]?.line).toHaveLength(500)
})

type Happens = (terminal: FakeEditorTerminal) => void

test.each<[string, { readonly tells?: boolean }, Happens, string]>([
  ['that reports nothing is unknown', { tells: false }, () => {}, 'unknown'],
  ['that has reported nothing yet is unknown', {}, () => {}, 'unknown'],
  ['whose command runs is busy', {}, (one) => void one.begins('x'), 'busy'],
  ['whose command has ended is ready', {}, (one) => one.begins('x')(0), 'ready'],
])('a shell %s', (_what, options, happens, state) => {
  const bash = new FakeEditorTerminal('bash', options)
  const { observed } = observe(bash)
  happens(bash)
  const [one] = observed.all
  expect(one && observed.stateOf(one)).toBe(state)
})

test('the kernel’s foreground process is used if the shell reports nothing', async () => {
  const { observed, seen } = observe(new FakeEditorTerminal('bash', { pid: 7 }))
  await settled()
  const [one] = observed.all
  seen.inFront = false
  expect(one && observed.stateOf(one)).toBe('busy')
  seen.inFront = true
  expect(one && observed.stateOf(one)).toBe('ready')
})

test.each<[string, string, boolean | null]>([
  ['a shell at its prompt', '10 (bash) S 9 10 10 34816 10 4194304', true],
  ['one with a program in front', '10 (bash) S 9 10 10 34816 44 4194304', false],
  ['one whose name is odd', '10 (a) b) S 9 10 10 34816 10 0', true],
  ['one without a terminal', '10 (bash) S 9 10 10 0 -1 0', false],
  ['nothing', '', null],
])('%s is known by the kernel', (_what, stat, inFront) => expect(isInFront(stat)).toBe(inFront))

test('the folder is the kernel’s, else the one reported by the shell', async () => {
  const { observed } = observe(
    new FakeEditorTerminal('reported', { cwd: '/reported' }),
    new FakeEditorTerminal('seen', { pid: process.pid }),
    new FakeEditorTerminal('neither'),
  )
  await settled()
  const seen = process.platform === 'linux' ? process.cwd() : null
  expect(observed.all.map(observedFolder)).toEqual(['/reported', seen, null])
})

test('a late name is read, and polling for it ends', () => {
  const revived = new FakeEditorTerminal('')
  const { observed, clock, changes } = observe(revived)
  expect(observed.all.map(observedName)).toEqual(['editor-1'])
  const before = changes.count
  revived.name = 'bash'
  clock.advance(500)
  expect(changes.count).toBe(before + 1)
  expect(observed.all.map(observedName)).toEqual(['bash'])
  clock.advance(60_000)
  expect(changes.count).toBe(before + 1)
})

test('the name is read again after a command starts or ends, because it may change', () => {
  const bash = new FakeEditorTerminal('bash')
  const { clock, changes } = observe(bash)
  clock.advance(1_000)
  const end = bash.begins('npm test')
  end(0)
  const before = changes.count
  clock.advance(1_000)
  expect(changes.count).toBe(before + 1)
})

test('polling for a missing name has a limit', () => {
  const { clock, changes } = observe(new FakeEditorTerminal(''))
  const before = changes.count
  clock.advance(600_000)
  expect(changes.count).toBe(before + 20)
})
