/** The contract for agents: MCP over stdio. */

import { Instance } from '../harness/instance.ts'
import { describeContract } from './contract.ts'

describeContract(
  'MCP over stdio',
  async () => {
    const instance = new Instance()
    return {
      client: await instance.mcp(),
      home: instance.home,
      inside: ({ pid }) => instance.mcpFrom(pid),
      close: async () => {
        await instance.stop()
      },
    }
  },
  { leads: 'tools' },
)
