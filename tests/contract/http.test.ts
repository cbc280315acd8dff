/** The contract for agents over HTTP. */

import { Instance } from '../harness/instance.ts'
import { describeContract } from './contract.ts'

describeContract('MCP over HTTP', async () => {
  const instance = new Instance()
  return {
    client: await instance.http(),
    home: instance.home,
    close: async () => {
      await instance.stop()
    },
  }
})
