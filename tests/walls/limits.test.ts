/** The limits of sandboxed programs: none of them harms other terminals. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { behindWalls, users } from '../harness/behind-walls.ts'
import { run, until } from '../harness/instance.ts'
import { scratchFolder } from '../harness/scratch.ts'

const MiB = 1024 * 1024

describe.each(users)('as %s', (_name, userId) => {
  const walls = behindWalls(userId)

  /** Another terminal answers, and no process of the attack is left. */
  async function expectUnharmed(): Promise<void> {
    const { output } = await walls.run({ command: 'echo still here' })
    expect(output).toBe('still here')
    // The daemon, ptyhost, the helper that identifies peers, and no other process.
    await until(() => walls.processes().length <= 3)
  }

  test('a fork bomb ends at its number of processes', async () => {
    const attack = JSON.stringify(['fork_bomb', 2_000])
    const { terminalId } = await walls.client.call('create', {
      command: ['python3', 'attack.py'],
      env: { ATTACK: attack },
      cwd: walls.workspace,
      sandbox: { limits: { processes: 60 } },
      waitFor: { text: 'held: .*after \\d+' },
      waitTimeoutMs: 30_000,
    })
    const { output } = await walls.client.call('read', { terminalId, since: 0 })
    const started = Number(/after (\d+)/.exec(output)?.[1])
    expect(started).toBeGreaterThan(20)
    expect(started).toBeLessThanOrEqual(60)
    await walls.client.call('close', { terminalId })
    await expectUnharmed()
  })

  test('a program that takes all memory is ended, and no other', async () => {
    const { output, exitCode, ...ended } = await walls.run({
      command: ['python3', 'attack.py'],
      env: { ATTACK: JSON.stringify(['hog', 4_000]) },
      sandbox: { limits: { memoryBytes: 150 * MiB } },
    })
    expect(ended).toMatchObject({ state: 'exited', signal: 'SIGKILL' })
    expect(output).not.toContain('out:')
    await expectUnharmed()
  })

  test('a shell outlives the program that took too much', async () => {
    const { terminalId } = await walls.client.call('create', {
      shell: 'bash',
      cwd: walls.workspace,
      env: { ATTACK: JSON.stringify(['hog', 4_000]) },
      sandbox: { limits: { memoryBytes: 150 * MiB } },
    })
    const hog = await walls.client.call('send', { terminalId, text: 'python3 attack.py', waitTimeoutMs: 30_000 })
    expect(hog).toMatchObject({ state: 'ready', kind: 'shell', exitCode: 137 })
    await walls.client.call('close', { terminalId })
    await expectUnharmed()
  })

  test('a file ends at its size', async () => {
    const attack = walls.attack(['endless_file', `${walls.workspace}/large`, 20], { limits: { fileBytes: 3 * MiB } })
    expect(await attack).toMatch(/^held: .*File too large/)
  })

  test.each(['/tmp', '/dev/shm', '/run'])('%s, which is memory, has a size', async (path) => {
    expect(await walls.attack(['private_size', path, 4 * 1024 * MiB], true)).toMatch(
      /^held: \[Errno 0\] \d+ bytes at most/,
    )
  })

  test('a program that only computes ends after its seconds', async () => {
    const { signal } = await walls.run({
      command: ['python3', 'attack.py'],
      env: { ATTACK: JSON.stringify(['spin']) },
      sandbox: { limits: { cpuSeconds: 1 } },
    })
    expect(signal).toMatch(/SIGXCPU|SIGKILL/)
  })
})

/** Without control groups, only the wall itself limits root. An empty folder hides the groups, from this program only. */
test.runIf(process.getuid?.() === 0)('root without control groups is limited by polling', async () => {
  const folder = scratchFolder()
  const attack = join(process.cwd(), 'tests/walls/attack.py')
  const script = `
    import { openTerminals } from ${JSON.stringify(join(process.cwd(), 'packages/agentpty/dist/index.js'))}
    const terminals = await openTerminals()
    const ends = async (attempt, limits) => {
      const sandbox = { limits, writable: [${JSON.stringify(join(process.cwd(), 'tests/walls'))}] }
      const env = { ATTACK: JSON.stringify(attempt) }
      const session = await terminals.open({ command: ['python3', ${JSON.stringify(attack)}], env, waitFor: 'exit', sandbox })
      const { output, signal } = await session.read({ since: 0 })
      await session.close()
      return [signal, /limit of (\\w+) is reached/.exec(output)?.[1]]
    }
    console.log(JSON.stringify([await ends(['fork_bomb', 3000], { processes: 60 }), await ends(['hog', 4000], { memoryBytes: 150 << 20 })]))
    await terminals.close()`
  writeFileSync(join(folder, 'script.mjs'), script)
  const inside = `mount -t tmpfs none /sys/fs/cgroup && exec ${process.execPath} ${join(folder, 'script.mjs')}`
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, SHELL: '/bin/bash' }
  const { stdout, stderr } = await run('unshare', ['-m', 'sh', '-c', inside], env, { cwd: folder })
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual([
    ['SIGKILL', 'processes'],
    ['SIGKILL', 'memory'],
  ])
})
