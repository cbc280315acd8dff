/** Forks in git worktrees, with a fake Claude Code that reports how it was started. */

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import type { Instance } from '../harness/instance.ts'
import { scratchInstance } from '../harness/scratch.ts'

let instance: Instance
let repository: string

beforeEach(() => {
  instance = scratchInstance()
  repository = join(instance.user, 'shop')
  mkdirSync(join(repository, 'src'), { recursive: true })
  const program = join(instance.user, 'claude')
  writeFileSync(program, '#!/bin/sh\necho "in $PWD with $*"\nexec cat\n', { mode: 0o755 })
  writeFileSync(join(instance.home, 'config.yaml'), `agents:\n  claude: {command: ${program}}\n`)
  git('init', '-q', '-b', 'main')
  writeFileSync(join(repository, 'src', 'kept.txt'), 'kept\n')
  git('add', '.')
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '-m', 'first')
  writeFileSync(join(repository, 'src', 'kept.txt'), 'changed\n')
})

const git = (...args: readonly string[]) =>
  execFileSync('git', ['-C', repository, ...args], { encoding: 'utf8', env: { ...process.env, HOME: instance.user } })
const agent = (...args: readonly string[]) => instance.cli('agent', ...args)
const screen = async (id: string) => (await instance.cli('screen', id)).stdout

test('a worktree next to the repository belongs to the fork, and stays when its agent ends', async () => {
  await agent('spawn', 'claude', '--cwd', join(repository, 'src'))
  const forked = JSON.parse((await agent('fork', 'term-1', '--worktree', '--json')).stdout)
  const path = `${repository}-claude-1`
  expect(forked).toMatchObject({ worktree: { path, branch: 'claude-1' } })
  const { terminalId } = forked.terminal
  expect(await screen(terminalId)).toContain(`in ${join(path, 'src')} with`)
  expect(await screen(terminalId)).toContain('--fork-session')
  expect(readFileSync(join(path, 'src', 'kept.txt'), 'utf8')).toBe('kept\n')
  expect(git('status', '--short')).toBe(' M src/kept.txt\n')
  await agent('kill', terminalId)
  expect([existsSync(path), git('branch', '--list', 'claude-1').trim()]).toEqual([true, '+ claude-1'])
  expect((await agent('fork', 'term-1', '--branch', 'claude-1')).stderr).toContain('git made no worktree')
  const next = JSON.parse((await agent('fork', 'term-1', '--worktree', '--json')).stdout)
  expect(next).toMatchObject({ worktree: { branch: 'claude-2' } })
})

test('without a repository there is no worktree, and the folder can be shared', async () => {
  await agent('spawn', 'claude', '--cwd', instance.user)
  expect(await agent('fork', 'term-1', '--worktree')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is in no git repository'),
  })
  const { stdout } = await agent('fork', 'term-1')
  expect(await screen(stdout.trim())).toContain(`in ${instance.user} with`)
})

test('the worktree of a fork that failed to start is removed, unless it is in use', async () => {
  await agent('spawn', 'claude', '--cwd', repository)
  const path = `${repository}-claude-1`
  const rpc = await instance.rpc()
  await rpc.call('create', { name: 'taken', command: ['cat'] })
  expect(await agent('fork', 'term-1', '--worktree', '--name', 'taken')).toMatchObject({
    code: 1,
    stderr: expect.not.stringContaining('stays'),
  })
  expect([existsSync(path), git('branch', '--list', 'claude-1')]).toEqual([false, ''])
  writeFileSync(join(repository, '.git', 'hooks', 'post-checkout'), '#!/bin/sh\necho mine > built.txt\n', {
    mode: 0o755,
  })
  expect((await agent('fork', 'term-1', '--worktree', '--name', 'taken')).stderr).toContain(
    `The worktree ${path} stays: git worktree remove ${path}`,
  )
  expect(readFileSync(join(path, 'built.txt'), 'utf8')).toBe('mine\n')
})
