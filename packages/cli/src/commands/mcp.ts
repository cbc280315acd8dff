import { parseToolsets, toolsetNames } from '@agentpty/protocol/mcp'
import { type Command, exitCode, textFlag } from '../command.ts'

export const serveMcp: Command = {
  name: 'mcp',
  usage: '',
  summary: 'serve MCP over stdio; this is the command to register with your agent',
  group: 'clients',
  words: [0, 0],
  flags: {
    toolset: {
      type: 'string',
      value: 'NAMES',
      choices: toolsetNames,
      help: 'the toolset to offer, or several as a,b',
    },
  },
  examples: ['claude mcp add agentpty -- agentpty mcp', 'agentpty mcp --toolset agents'],
  run: async ({ options, flags }) => {
    const names = textFlag(flags, 'toolset')
    await options.serveMcp(names === undefined ? undefined : parseToolsets(names))
    return exitCode.ok
  },
}

export const serveDaemon: Command = {
  name: 'serve',
  usage: '',
  summary: 'run the daemon in the foreground, for a service manager',
  group: 'agentpty',
  words: [0, 0],
  examples: ['agentpty serve'],
  run: async ({ options }) => {
    await options.serve()
    return exitCode.ok
  },
}
