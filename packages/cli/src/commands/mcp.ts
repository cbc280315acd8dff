import { parseToolsets, toolsetNames } from '@agentpty/protocol/mcp'
import { type Command, exitCode, textFlag } from '../command.ts'

export const serveMcp: Command = {
  name: 'mcp',
  usage: '',
  summary: 'serve MCP over stdio: this is what you register with your agent',
  group: 'clients',
  words: [0, 0],
  flags: {
    toolset: {
      type: 'string',
      value: 'NAMES',
      choices: toolsetNames,
      help: 'which tools to give: a name, or several as a,b',
    },
  },
  examples: ['claude mcp add agentpty -- npx agentpty mcp'],
  run: async ({ options, flags }) => {
    const names = textFlag(flags, 'toolset')
    await options.serveMcp(names === undefined ? undefined : parseToolsets(names))
    return exitCode.ok
  },
}

export const serveDaemon: Command = {
  name: 'serve',
  usage: '',
  summary: 'run the daemon in the foreground, for a service manager; any other command starts one by itself',
  group: 'agentpty',
  words: [0, 0],
  run: async ({ options }) => {
    await options.serve()
    return exitCode.ok
  },
}
