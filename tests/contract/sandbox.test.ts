/** The contract for sandboxed terminals, for root and for an ordinary user. */

import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openEngine } from 'agentpty'
import { users } from '../harness/behind-walls.ts'
import { Instance } from '../harness/instance.ts'
import { describeContract } from './contract.ts'
import { libraryUser } from './suite.ts'

/** The tests' folders are in a writable one: /tmp belongs to the sandbox. */
function scratchRoot(): string {
  const folder = mkdtempSync('/tmp/agentpty-scratch-')
  chmodSync(folder, 0o777)
  process.env['TMPDIR'] = folder
  return folder
}

describeContract('the library, in a sandbox', async () => {
  const user = libraryUser()
  const own = process.env['TMPDIR']
  const scratch = scratchRoot()
  const engine = await openEngine({ sandbox: { writable: [scratch] } })
  return {
    client: engine.client,
    home: null,
    close: async () => {
      await engine.close()
      for (const folder of [user, scratch]) rmSync(folder, { recursive: true, force: true })
      if (own === undefined) delete process.env['TMPDIR']
      else process.env['TMPDIR'] = own
    },
  }
})

/** An ordinary user has just run it. */
for (const [name, userId] of users.filter(([, id]) => id !== process.getuid?.()))
  describeContract(`the daemon’s socket, in a sandbox, as ${name}`, async () => {
    const instance = new Instance({}, userId)
    const scratch = scratchRoot()
    const writable = JSON.stringify([scratch, process.cwd()])
    writeFileSync(join(instance.home, 'config.yaml'), `policy: {sandbox: {writable: ${writable}}}\n`)
    return {
      client: await instance.rpc(),
      // Programs inside do not receive its path.
      home: null,
      close: async () => {
        await instance.stop()
        rmSync(scratch, { recursive: true, force: true })
        delete process.env['TMPDIR']
      },
    }
  })
