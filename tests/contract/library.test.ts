/** The contract, called in this process. */

import { rmSync } from 'node:fs'
import { openEngine } from 'agentpty'
import { describeContract } from './contract.ts'
import { libraryUser } from './suite.ts'

describeContract(
  'the library',
  async () => {
    const user = libraryUser()
    const engine = await openEngine()
    return {
      client: engine.client,
      home: null,
      // The caller's own program reports where it runs.
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
