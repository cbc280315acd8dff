/** Work with git inside, in a checkout and in a linked one. Files that git would run or obey later are protected. */

import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { behindWalls, users } from '../harness/behind-walls.ts'

const author = {
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.com',
}

describe.each(users)('as %s', (_name, userId) => {
  const walls = behindWalls(userId)
  let main: string
  let linked: string
  beforeAll(async () => {
    ;[main, linked] = [walls.outside('main'), walls.outside('linked')]
    walls.write(join(main, 'file'), 'ours')
    const env = { ...process.env, ...author, HOME: walls.instance.user }
    const git = (...args: string[]) => execFileSync('git', args, { cwd: main, env, uid: userId, gid: userId })
    git('init', '-q')
    git('add', '.')
    git('commit', '-qm', 'first')
    git('worktree', 'add', '-q', linked)
  })

  test.each([
    ['a checkout', () => main],
    ['a linked checkout', () => linked],
  ])('in %s one can commit, branch and read the log', async (_which, folder) => {
    const command =
      'git switch -qc work-$(basename $PWD) && date >> file && git commit -qam second && git log --oneline | wc -l && git stash list'
    const { output, exitCode } = await walls.run({ command, cwd: folder(), env: author, sandbox: true })
    expect([output.trim(), exitCode]).toEqual(['2', 0])
  })

  test.each([
    ['a checkout', () => main],
    ['a linked checkout', () => linked],
  ])('in %s neither its settings nor its hooks can be changed', async (_which, folder) => {
    const cwd = folder()
    // The policy does not inspect the content of a script.
    const run = (line: string) => {
      walls.write(join(cwd, 'script.sh'), line)
      return walls.run({ command: ['sh', 'script.sh'], cwd, sandbox: true })
    }
    expect((await run('git config core.fsmonitor /tmp/x')).exitCode).not.toBe(0)
    expect((await run('git config core.fsmonitor')).output).toBe('')
    const hook = await run('touch "$(git rev-parse --git-path hooks)/post-commit"')
    expect(hook.output).toContain('Read-only file system')
    const link = await run('echo "gitdir: /tmp/x" > .git; mv .git old; git rev-parse --git-dir')
    expect(link.output).toMatch(/busy/)
    expect(link.output).not.toContain('/tmp/x')
  })
})
