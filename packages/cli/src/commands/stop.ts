import { type Client, type ErrorCode, isTermError, pause, TermError } from '@agentpty/protocol'
import { ownTerminalError } from '@agentpty/protocol/session'
import { type CliOptions, type Command, printResult } from '../command.ts'

export const stopDaemon: Command = {
  name: 'stop',
  usage: '',
  summary: 'end the daemon; the terminals keep running',
  group: 'agentpty',
  words: [0, 0],
  flags: {
    all: { type: 'boolean', help: 'also close all terminals' },
    force: { type: 'boolean', help: 'include the terminal in which this command runs' },
  },
  examples: ['agentpty stop', 'agentpty stop --all'],
  run: async ({ options, flags, json }) => {
    const all = flags['all'] === true
    const isStopped = await stop(options, { all, force: flags['force'] === true })
    const ended = all ? 'Everything is closed.' : 'The daemon has ended; its terminals go on.'
    const message = isStopped ? ended : 'No daemon was running.'
    return printResult({ options, json }, { stopped: isStopped, all }, `${message}\n`)
  },
}

/** Another client may start a daemon while one ends: with `all` that one is stopped, too. */
const attemptsMax = 3

/** False when no daemon was running. */
async function stop(options: CliOptions, { all, force }: StopFlags, attempt = 1): Promise<boolean> {
  // To close what ptyhost still holds, a daemon that can speak to it is needed.
  const client = await options.connect({ mayStart: all }).catch(unless('no_daemon'))
  if (client === null) return false
  if (all && !force) await assertNotInside(options, client)
  try {
    await client.control.stop({ all })
  } catch (error) {
    await client.close()
    if (!isTermError(error) || error.code !== 'daemon_gone') throw error
    // It ended before it answered. Whether it has closed the terminals is not known.
    if (all && attempt === attemptsMax) throw error
    if (all) await stop(options, { all, force }, attempt + 1)
    return true
  }
  await untilEnded(client, options)
  return true
}

/**
 * The daemon closes the connection when it ends. A client that calls after this command gets the next daemon.
 *
 * Errors: `daemon_gone` when it does not end.
 */
async function untilEnded(client: Client, { clock }: CliOptions): Promise<void> {
  const latest = clock.now() + endMsMax
  const status = () => client.control.status().catch(() => null)
  for (let last = await status(); last !== null; last = await status()) {
    if (clock.now() > latest) {
      await client.close()
      throw notEnded(last.daemon.pid)
    }
    await pause(clock, checkMs)
  }
}

const checkMs = 10
/** The daemon has answered by then, and only closes its connections and files. */
const endMsMax = 30_000

const notEnded = (pid: number): TermError =>
  new TermError(
    'daemon_gone',
    `The agentpty daemon (pid ${pid}) has agreed to end, and still runs after ${endMsMax / 1000} s.`,
    `Its terminals go on. End it: kill ${pid}`,
  )

interface StopFlags {
  readonly all: boolean
  readonly force: boolean
}

const unless =
  (code: ErrorCode) =>
  (error: unknown): null => {
    if (isTermError(error) && error.code === code) return null
    throw error
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
