import { type Client, isTermError, TermError } from '@agentpty/protocol'
import { prefixHint, prefixPattern } from '@agentpty/protocol/home'
import { type CliOptions, type FlagValues, type Terminal, textFlag, withClient } from '../command.ts'

/** How often a daemon that ends at once is connected to again. */
const reconnectsMax = 20

/** Terminals outlive a daemon: when it ends, the person is attached again through the next one. */
export async function withLastingClient<Result>(
  options: CliOptions,
  use: (client: Client, isNewDaemon: boolean) => Promise<Result>,
): Promise<Result> {
  for (let left = reconnectsMax; ; left--) {
    try {
      return await withClient(options, (client) => use(client, left < reconnectsMax), { isPerson: true })
    } catch (error) {
      if (left === 0 || !isTermError(error) || error.code !== 'daemon_gone') throw error
    }
  }
}

/** Errors: `invalid_input` for a key that cannot be the prefix. */
export async function prefixOf({ explainConfig }: CliOptions, flags: FlagValues): Promise<string> {
  const set = (await explainConfig()).find(({ key }) => key === 'attachPrefix')?.value
  const name = textFlag(flags, 'prefix') ?? String(set)
  if (prefixPattern.test(name)) return name
  throw new TermError('invalid_input', `"${name}" can be no prefix.`, prefixHint)
}

/** Errors: `invalid_input` in a pipe. */
export function requireTerminal({ terminal }: CliOptions): Terminal {
  if (terminal !== null) return terminal
  throw new TermError(
    'invalid_input',
    'This needs a terminal to show it in.',
    'In a pipe use: agentpty read, or agentpty screen',
  )
}
