import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { hookSettings, noHooks, ownHooks, renderHook, resolveHook } from './hooks.ts'
import { rosterRow } from './roster.ts'

const claude = rosterRow('claude').agent.hookWay
const codex = rosterRow('codex').agent.hookWay

test('Claude gets all events as one text after one flag', () => {
  const [settings = '', ...more] = hookSettings(claude, ownHooks)
  expect(more).toEqual([])
  const { hooks } = JSON.parse(settings)
  expect(Object.keys(hooks)).toEqual(['SessionStart', 'PostToolUse', 'Stop'])
  expect(hooks.Stop[0].hooks[0]).toEqual({
    type: 'command',
    command: "agentpty hook emit --auto --field 'last_assistant_message'",
  })
})

test('Codex gets a flag for each event', () => {
  const settings = hookSettings(codex, { ...noHooks, check: 'say "hi"' })
  expect(settings).toEqual(['hooks.PostToolUse=[{matcher="*",hooks=[{type="command",command="say \\"hi\\""}]}]'])
})

test('a shell turns the command into the template that the program reads', () => {
  const [settings = ''] = hookSettings(claude, { ...noHooks, check: ownHooks.check })
  const { command } = JSON.parse(settings).hooks.PostToolUse[0].hooks[0]
  const template = execFileSync('sh', ['-c', command.replace('agentpty hook check --auto --as', 'printf %s')], {
    encoding: 'utf8',
  })
  expect(JSON.parse(renderHook(template, 'line "1"\nline 2 {{event}}'))).toEqual({
    hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'line "1"\nline 2 {{event}}' },
  })
})

test('without hooks, and for events that a program does not know, nothing is said', () => {
  expect(hookSettings(claude, noHooks)).toEqual([])
  const deaf = { ...claude, events: { start: null, check: null, end: null } }
  expect(hookSettings(deaf, ownHooks)).toEqual([])
})

test('a foreign command stays unchanged, and agentpty is resolved to this agentpty', () => {
  expect(resolveHook('termtile hook check --auto', "'/opt/node' '/x y/agentpty.js'")).toBe(
    "'/opt/node' '/x y/agentpty.js' hook check --auto",
  )
  expect(resolveHook('agentpty hook emit', '$&')).toBe('$& hook emit')
  expect(resolveHook('notify agentpty hook check', 'other')).toBe('notify agentpty hook check')
})
