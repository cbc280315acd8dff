import { expect, test } from 'vitest'
import { commands } from './commands.ts'

test.each(Object.entries(commands))(
  'the command that is loaded for "%s" is the one of this name',
  async (name, load) => {
    expect((await load()).name).toBe(name)
  },
)
