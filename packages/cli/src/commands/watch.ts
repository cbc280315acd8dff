import { watchAll } from '../attach/wall.ts'
import { prefixOf, requireTerminal, withLastingClient } from '../attach/window.ts'
import { type Command, exitCode } from '../command.ts'

export const watchTerminals: Command = {
  name: 'watch',
  usage: '',
  summary: 'all terminals live on one screen; choose one to sit down at',
  group: 'people',
  words: [0, 0],
  notes: ['Arrow keys or tab choose, enter sits down, q leaves. Watching changes nothing.'],
  run: async ({ options }) => {
    const terminal = requireTerminal(options)
    const { clock, print } = options
    const prefix = await prefixOf(options, {})
    await withLastingClient(options, (client) => watchAll({ client, clock, terminal, print, prefix }))
    return exitCode.ok
  },
}
