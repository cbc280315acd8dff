/** `agentpty needs`: what is blocked on a person, from all terminals. */

import type { Client } from '@agentpty/protocol'
import { invalidInput } from '@agentpty/protocol'
import { shownText } from '@agentpty/protocol/approvals'
import { type Need, needTextCharactersMax } from '@agentpty/protocol/needs'
import { type Command, type CommandCall, exitCode, printResult, withClient } from '../command.ts'
import { untilLeft } from '../until-left.ts'

export const showNeeds: Command = {
  name: 'needs',
  usage: '[dismiss ID]',
  summary: 'list everything that needs you, and how to answer it',
  group: 'start',
  words: [0, 2],
  choices: ['dismiss'],
  flags: {
    watch: { type: 'boolean', short: 'w', help: 'keep running and show each change; q leaves' },
  },
  notes: [
    'The list has approvals, questions, dialogs of agents, passwords, confirmations, requests to take a terminal over, and terminals that failed since you last looked.',
    '`dismiss` removes a failure from the list, or declines the request of an agent. Each other line names its command.',
  ],
  examples: ['agentpty needs', 'agentpty needs --watch', 'agentpty needs dismiss term-4-ended'],
  run: (call) => {
    const [verb, needId] = call.words
    if (verb === undefined) return show(call)
    if (verb === 'dismiss' && needId !== undefined) return dismiss(call, needId)
    throw invalidInput(`needs ${call.words.join(' ')}: that is no list.`, 'agentpty needs dismiss ID')
  },
}

function show({ options, flags, json }: CommandCall): Promise<number> {
  return withClient(options, async (client) => {
    if (flags['watch'] === true) return watch(client, { options, json })
    const { needs } = await client.call('needs', {})
    const text = needs.length === 0 ? nothingWaits : needs.map(needText).join('')
    return printResult({ options, json }, { needs }, text)
  })
}

async function watch(client: Client, { options, json }: Pick<CommandCall, 'options' | 'json'>): Promise<number> {
  const over = new AbortController()
  const stop = untilLeft(options, () => over.abort())
  let shown: ReadonlyMap<string, Need> | null = null
  for await (const { needs } of client.watch({ overview: true, signal: over.signal })) {
    if (needs === null) continue
    const now = new Map(needs.map((need) => [need.needId, need]))
    const before: ReadonlyMap<string, Need> = shown ?? new Map()
    const come = needs.filter(({ needId }) => !before.has(needId))
    const gone = [...before.keys()].filter((needId) => !now.has(needId))
    const isFirst = shown === null
    shown = now
    if (json) await options.print(`${JSON.stringify({ come, gone })}\n`)
    else if (isFirst && needs.length === 0) await options.print(nothingWaits)
    else await options.print(`${come.map(needText).join('')}${gone.map((needId) => `${needId}  done\n`).join('')}`)
  }
  stop()
  return exitCode.ok
}

async function dismiss({ options, json }: CommandCall, needId: string): Promise<number> {
  return withClient(options, async (client) => {
    return printResult({ options, json }, await client.call('dismiss', { needId }), '')
  })
}

const nothingWaits = 'Nothing waits for you.\n'

const shown = (text: string): string => shownText(text, needTextCharactersMax, 'prose')

function needText(need: Need): string {
  const { needId, kind, title, text, options } = need
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return [
    `${needId}  ${kind === 'takeOver' ? 'take over' : kind} in ${shown(title)}`,
    ...lines.map((line) => `    | ${kind === 'approval' ? line : shown(line)}`),
    ...(options === undefined || kind === 'approval' ? [] : [`    ${options.map(shown).join('  /  ')}`]),
    `    answer: ${howToAnswer(need)}`,
    '',
  ].join('\n')
}

function howToAnswer({ needId, kind, terminalId, options }: Need): string {
  switch (kind) {
    case 'approval':
      return `agentpty approvals answer ${needId} allow|deny`
    case 'dialog':
      return options === undefined ? `agentpty attach ${terminalId}` : `agentpty agent reply ${terminalId} OPTION`
    case 'password':
      return `agentpty secret ${terminalId}`
    case 'confirmation':
      return `agentpty send ${terminalId} ${options?.[0] ?? 'y'}`
    case 'takeOver':
      return `agentpty take ${terminalId}, then agentpty attach ${terminalId}; or agentpty needs dismiss ${needId}`
    case 'failure':
      return `agentpty screen ${terminalId}; then agentpty needs dismiss ${needId}`
    default:
      return `agentpty attach ${terminalId}`
  }
}
