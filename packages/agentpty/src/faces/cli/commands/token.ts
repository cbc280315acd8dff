import { type Command, exitCode } from '../command.ts'

export const showToken: Command = {
  name: 'token',
  usage: '',
  summary: 'the token that a client over HTTP sends: Authorization: Bearer TOKEN',
  group: 'agentpty',
  words: [0, 0],
  run: async ({ options, json }) => {
    const token = options.httpToken()
    options.print(json ? `${JSON.stringify({ token })}\n` : `${token}\n`)
    return exitCode.ok
  },
}
