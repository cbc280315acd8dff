import type { Client } from '../../../contracts/client.ts'
import { isTermError } from '../../../contracts/errors.ts'
import { ownTerminalError } from '../../../contracts/session/own-terminal.ts'
import { type CliOptions, type Command, exitCode } from '../command.ts'

export const stopDaemon: Command = {
  name: 'stop',
  usage: '',
  summary: 'end the daemon; the terminals go on',
  group: 'agentpty',
  words: [0, 0],
  flags: {
    all: { type: 'boolean', help: 'and end every terminal' },
    force: { type: 'boolean', help: 'also the terminal that this runs in' },
  },
  run: async ({ options, flags, json }) => {
    const all = flags['all'] === true
    // To close what ptyhost still holds, a daemon that can speak to it is needed.
    const client = await options.connect({ mayStart: all }).catch((error: unknown) => {
      if (isTermError(error) && error.code === 'no_daemon') return null
      throw error
    })
    if (all && flags['force'] !== true && client !== null) await assertNotInside(options, client)
    // A daemon that ends closes the connection itself; one that refuses does not.
    await client?.control.stop({ all }).catch(async (error: unknown) => {
      await client.close()
      throw error
    })
    const ended = all ? 'Everything is closed.' : 'The daemon has ended; its terminals go on.'
    const message = client === null ? 'No daemon was running.' : ended
    options.print(json ? `${JSON.stringify({ stopped: client !== null, all })}\n` : `${message}\n`)
    return exitCode.ok
  },
}

/** Errors: `own_terminal`. */
async function assertNotInside({ ownTerminalId }: CliOptions, client: Client): Promise<void> {
  if (ownTerminalId === null) return
  const { terminals } = await client.call('list', {})
  const isHere = terminals.some(({ terminalId, isActive }) => terminalId === ownTerminalId && isActive)
  if (!isHere) return
  await client.close()
  throw ownTerminalError(ownTerminalId, 'Ending everything')
}
