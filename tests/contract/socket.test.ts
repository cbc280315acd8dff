/** The contract, over the daemon's socket. */

import { Instance } from '../harness/instance.ts'
import { describeContract } from './contract.ts'

describeContract(
  'the daemon’s socket',
  async () => {
    const instance = new Instance()
    return {
      client: await instance.rpc(),
      home: instance.home,
      inside: ({ pid }) => instance.rpcFrom(pid),
      close: async () => {
        await instance.stop()
      },
    }
  },
  { leads: 'all' },
)
