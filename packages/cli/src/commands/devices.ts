/** `agentpty devices`: the browsers that have signed in to the page, and how they are signed out. */

import { invalidInput } from '@agentpty/protocol'
import type { Device } from '@agentpty/protocol/page'
import { type Command, type CommandCall, printResult, withClient } from '../command.ts'

export const showDevices: Command = {
  name: 'devices',
  usage: '[revoke ID|all]',
  summary: 'list the browsers that are signed in to the page, or sign them out',
  group: 'people',
  words: [0, 2],
  choices: ['revoke'],
  notes: ['`revoke` signs a browser out at once, in all its windows. `agentpty open` signs it in again.'],
  examples: ['agentpty devices', 'agentpty devices revoke dev-8f2k1c', 'agentpty devices revoke all'],
  run: (call) => (call.words.length === 0 ? list(call) : revoke(call)),
}

async function list({ options, json }: CommandCall): Promise<number> {
  const { devices } = await withClient(options, (client) => client.call('devices', {}), { isPerson: true })
  const text = devices.map((one) => lineOf(one, options.isoTime)).join('')
  return printResult({ options, json }, { devices }, text === '' ? 'No devices. Run: agentpty open\n' : text)
}

async function revoke({ options, words, json }: CommandCall): Promise<number> {
  const [verb, deviceId] = words
  if (verb !== 'revoke' || deviceId === undefined)
    throw invalidInput(`devices ${words.join(' ')}: no such thing.`, 'For example: devices revoke all')
  const { revoked } = await withClient(options, (client) => client.call('revokeDevice', { deviceId }), {
    isPerson: true,
  })
  const text = revoked.map(({ deviceId: id, name }) => `${id} (${name}) is signed out.\n`).join('')
  return printResult({ options, json }, { revoked }, text === '' ? 'There was none.\n' : text)
}

function lineOf(
  { deviceId, name, access, createdAt, seenAt, expiresAt }: Device,
  isoTime: (wall: number) => string,
): string {
  const may = access.kind === 'all' ? 'all' : `looks at ${access.terminalId ?? 'all'}`
  const until = expiresAt === null ? '' : `  until ${isoTime(expiresAt)}`
  return `${deviceId}  ${name.padEnd(24)}  ${may}  since ${isoTime(createdAt)}  seen ${isoTime(seenAt)}${until}\n`
}
