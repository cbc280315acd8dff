import assert from 'node:assert/strict'
import { test } from 'vitest'
import { titleState } from './agent-watch.ts'

test.each([
  ['⠋ fix the parser | project', 'working'],
  ['◐ Claude Code', 'working'],
  ['◐\ufe0e Qwen - project', 'working'],
  ['✦  Working… (project)', 'working'],
  ['◇  Ready (project)', 'idle'],
  ['✋  Action Required (project)', 'blocked'],
  ['[ ! ] Action Required | fix | project', 'blocked'],
  ['vim notes.txt', null],
  ['user@host: ~/work', null],
  ['Working hard', null],
  ['GitHub Copilot', null],
  ['', null],
] as const)('%j says %j', (title, state) => assert.equal(titleState(title), state))
