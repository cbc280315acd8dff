/** `agentpty token`: the user’s own, and those of scopes, which see and type into their own terminals and no others. */

import { ignoring, invalidInput, TermError } from '@agentpty/protocol'
import type { NamedScope } from '@agentpty/protocol/scope'
import { type CliOptions, type Command, type CommandCall, printResult, textFlag, withClient } from '../command.ts'
import { durationMs } from '../parse-values.ts'

export const showToken: Command = {
  name: 'token',
  usage: '',
  summary: 'print the token for HTTP clients, or manage tokens with a limited scope',
  group: 'agentpty',
  words: [0, 0],
  flags: {
    scope: {
      type: 'string',
      value: 'NAME',
      help: 'create a token that can only use terminals opened with it',
    },
    expires: {
      type: 'string',
      value: 'TIME',
      help: 'with --scope: the token expires after 30m, 8h, 7d; default: when it is revoked',
    },
    list: { type: 'boolean', help: 'list the scopes' },
    revoke: { type: 'string', value: 'NAME', help: 'revoke the token of this scope; its terminals keep running' },
  },
  notes: [
    'HTTP clients send it as `Authorization: Bearer TOKEN`. `agentpty mcp` and the library read it from AGENTPTY_TOKEN. The token of a scope is printed once.',
    'A token with a scope cannot answer approvals, create tokens or stop the daemon (docs/security.md).',
  ],
  examples: [
    'agentpty token',
    'agentpty token --scope reviewer --expires 8h',
    'agentpty token --list',
    'agentpty token --revoke reviewer',
  ],
  run: async (call) => {
    const { flags, options, json } = call
    const scope = textFlag(flags, 'scope')
    const revoked = textFlag(flags, 'revoke')
    if ([scope !== undefined, revoked !== undefined, flags['list'] === true].filter(Boolean).length > 1)
      throw invalidInput('token: --scope, --list and --revoke are three things.', 'Give one of them.')
    if (flags['expires'] !== undefined && scope === undefined)
      throw invalidInput('token: --expires is for --scope.', 'For example: --scope reviewer --expires 8h')
    if (flags['list'] === true) return list(call)
    assertPerson(call)
    if (scope !== undefined) return create(scope, call)
    if (revoked !== undefined) return revoke(revoked, call)
    const token = options.httpToken()
    return printResult({ options, json }, { token }, `${token}\n`)
  },
}

/** By the environment, as with approvals. Errors: `denied`. */
function assertPerson({ options, flags }: CommandCall): void {
  const isOfScopes = flags['scope'] !== undefined || flags['revoke'] !== undefined
  if (options.ownTerminalId === null || !isOfScopes) return
  throw new TermError(
    'denied',
    'Tokens are neither made nor revoked inside a terminal of agentpty: a limited caller must not change its limits.',
    'A person does it in a terminal of their own.',
  )
}

async function create(name: string, { options, flags, json }: CommandCall): Promise<number> {
  const scopes = await options.scopes()
  const given = textFlag(flags, 'expires')
  const ms = given === undefined ? null : durationMs(given)
  if (given !== undefined && (ms === null || ms === 0))
    throw invalidInput(`--expires ${given}: no time.`, 'For example: --expires 8h')
  const { token, scope } = scopes.create(name, ms === null ? null : scopes.now() + ms)
  await recordNow(options)
  return printResult({ options, json }, { token, scope: shown(scope, options.isoTime) }, `${token}\n`)
}

async function list({ options, json }: CommandCall): Promise<number> {
  const scopes = await options.scopes()
  const all = scopes.list().map((scope) => shown(scope, options.isoTime))
  const now = scopes.now()
  const lines = scopes.list().map(({ name, createdAt, expiresAt }) => {
    const end =
      expiresAt === null
        ? 'until it is revoked'
        : `${expiresAt <= now ? 'expired' : 'until'} ${options.isoTime(expiresAt)}`
    return `${name.padEnd(20)}  made ${options.isoTime(createdAt)}  ${end}\n`
  })
  return printResult({ options, json }, { scopes: all }, lines.length === 0 ? 'No scopes.\n' : lines.join(''))
}

async function revoke(name: string, { options, json }: CommandCall): Promise<number> {
  const revoked = shown((await options.scopes()).revoke(name), options.isoTime)
  await recordNow(options)
  return printResult({ options, json }, { revoked }, `${name}: its token is no longer valid. Its terminals go on.\n`)
}

/** A daemon records at its next call what has become of scopes. Without one the next daemon does. */
async function recordNow(options: CliOptions): Promise<void> {
  // Without a daemon the request itself is done, and the next call records it.
  await withClient(options, (client) => client.control.status(), { mayStart: false }).catch(ignoring())
}

function shown({ name, id, createdAt, expiresAt }: NamedScope, isoTime: (wall: number) => string) {
  return { name, id, createdAt: isoTime(createdAt), expiresAt: expiresAt === null ? null : isoTime(expiresAt) }
}
