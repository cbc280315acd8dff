/** `agentpty devices`: the browsers that have signed in to the page, how they are signed out, and their push notifications. */

import { invalidInput } from '@agentpty/protocol'
import type { ListedDevice, PushWording } from '@agentpty/protocol/page'
import { type Command, type CommandCall, printResult, withClient } from '../command.ts'

export const showDevices: Command = {
  name: 'devices',
  usage: '[revoke ID|all] [mute ID]',
  summary: 'list the browsers that are signed in to the page, sign them out, or end their push notifications',
  group: 'people',
  words: [0, 2],
  choices: ['revoke', 'mute'],
  notes: [
    '`revoke` signs a browser out at once, in all its windows. `agentpty open` signs it in again.',
    'You turn push notifications on in the page, under Devices. `mute` turns them off, as for a lost phone. The browser stays signed in.',
  ],
  examples: [
    'agentpty devices',
    'agentpty devices revoke dev-8f2k1c',
    'agentpty devices revoke all',
    'agentpty devices mute dev-8f2k1c',
  ],
  run: (call) => (call.words.length === 0 ? list(call) : change(call)),
}

async function list({ options, json }: CommandCall): Promise<number> {
  const { devices } = await withClient(options, (client) => client.call('devices', {}), { isPerson: true })
  const text = devices.map((one) => lineOf(one, options.isoTime)).join('')
  return printResult({ options, json }, { devices }, text === '' ? 'No devices. Run: agentpty open\n' : text)
}

function change(call: CommandCall): Promise<number> {
  const { words } = call
  const [verb, deviceId] = words
  if (verb === 'revoke' && deviceId !== undefined) return revoke(call, deviceId)
  if (verb === 'mute' && deviceId !== undefined) return mute(call, deviceId)
  throw invalidInput(`devices ${words.join(' ')}: no such thing.`, 'For example: devices revoke all')
}

async function mute({ options, json }: CommandCall, deviceId: string): Promise<number> {
  const { wasOn } = await withClient(options, (client) => client.call('unsubscribePush', { deviceId }), {
    isPerson: true,
  })
  const text = wasOn ? 'gets no more push notifications' : 'got no push notifications'
  return printResult({ options, json }, { wasOn }, `${deviceId} ${text}.\n`)
}

async function revoke({ options, json }: CommandCall, deviceId: string): Promise<number> {
  const { revoked } = await withClient(options, (client) => client.call('revokeDevice', { deviceId }), {
    isPerson: true,
  })
  const text = revoked.map(({ deviceId: id, name }) => `${id} (${name}) is signed out.\n`).join('')
  return printResult({ options, json }, { revoked }, text === '' ? 'There was none.\n' : text)
}

function lineOf(
  { deviceId, name, access, createdAt, seenAt, expiresAt, push }: ListedDevice,
  isoTime: (wall: number) => string,
): string {
  const may = access.kind === 'all' ? 'all' : `looks at ${access.terminalId ?? 'all'}`
  const until = expiresAt === null ? '' : `  until ${isoTime(expiresAt)}`
  return `${deviceId}  ${name.padEnd(24)}  ${may}  since ${isoTime(createdAt)}  seen ${isoTime(seenAt)}${until}${pushWords(push)}\n`
}

function pushWords(push: PushWording | undefined): string {
  if (push === undefined) return ''
  return push === 'brief' ? '  notified that something waits' : '  notified with the question'
}
