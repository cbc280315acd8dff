import { type CliOptions, runCli } from '@agentpty/cli'
import { expect, test } from 'vitest'
import { commands } from './commands.ts'

test.each(Object.entries(commands))(
  'the command that is loaded for "%s" is the one of this name',
  async (name, load) => {
    expect((await load()).name).toBe(name)
  },
)

test.each(Object.entries(commands))('agentpty %s --help shows its flags', async (name, load) => {
  let printed = ''
  const options: Pick<CliOptions, 'commands' | 'version' | 'print' | 'complain'> = {
    commands,
    version: '1.2.3',
    print: (text) => {
      printed += text
    },
    complain: (text) => expect.fail(text),
  }
  // Help needs no more of the process.
  expect(await runCli([...name.split(' '), '--help'], options as CliOptions)).toBe(0)
  expect(printed).toContain(`agentpty ${name}`)
  for (const flag of Object.keys((await load()).flags ?? {})) expect(printed).toContain(`--${flag}`)
})
