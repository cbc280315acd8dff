/** The contract, called in this process. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { openEngine } from 'agentpty'
import { writeUserFiles } from '../harness/instance.ts'
import { describeContract } from './contract.ts'

describeContract(
  'the library',
  async () => {
    const user = mkdtempSync(join(tmpdir(), 'agentpty-user-'))
    writeUserFiles(user)
    process.env['AGENTPTY_PTYHOST'] ??= resolve('native/ptyhost/build/ptyhost')
    process.env['HOME'] = user
    process.env['SHELL'] = '/bin/bash'
    const engine = await openEngine()
    return {
      client: engine.client,
      home: null,
      // Where a caller runs is what its own program says of it.
      inside: async ({ terminalId }) => ({
        call: (verb, input, context) =>
          engine.client.call(verb, input, { ...context, env: { ...env(), AGENTPTY_TERMINAL: terminalId } }),
      }),
      close: async () => {
        await engine.close()
        rmSync(user, { recursive: true, force: true })
      },
    }
  },
  { leads: 'all' },
)

const env = () => ({ PATH: process.env['PATH'] ?? '', SHELL: '/bin/bash' })
