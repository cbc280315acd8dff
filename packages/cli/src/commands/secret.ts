import { invalidInput } from '@agentpty/protocol'
import { type Command, exitCode, withClient } from '../command.ts'
import { readSecret } from '../read-secret.ts'

export const typeSecret: Command = {
  name: 'secret',
  usage: 'ID',
  summary: 'type a password or key that models never see',
  group: 'people',
  words: [1, 1],
  completes: 'terminal',
  flags: { 'no-enter': { type: 'boolean', help: 'type no Enter' } },
  notes: [
    'The command asks for the secret without showing it, or reads it from standard input, and types it into the program.',
    'From then on the secret is masked in everything that models read, also if a program prints it. At a shell’s prompt it is refused: the shell would run it.',
  ],
  examples: ['agentpty secret term-3', 'pass show deploy | agentpty secret term-3'],
  run: async ({ options, words, flags }) => {
    const [terminalId = ''] = words
    const text = options.terminal === null ? (await options.readInput()).replace(/\r?\n$/, '') : await asked()
    if (text === null || text === '')
      throw invalidInput('Nothing was typed.', 'Type the secret and Enter, or pipe it in.')
    const input = { terminalId, text, newline: flags['no-enter'] !== true }
    await withClient(options, (client) => client.call('secret', input), { mayStart: false })
    return exitCode.ok

    async function asked(): Promise<string | null> {
      await options.print(`Secret for ${terminalId} (not shown): `)
      const typed = options.terminal === null ? null : await readSecret(options.terminal)
      await options.print('\n')
      return typed
    }
  },
}
