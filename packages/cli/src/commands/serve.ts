import { type Command, exitCode } from '../command.ts'

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
