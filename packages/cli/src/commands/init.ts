/** `agentpty init`: registers with the agents and editors of this machine, after showing what that would change. */

import { invalidInput } from '@agentpty/protocol'
import { type RegistrableClient, registrableClients } from '@agentpty/protocol/agents'
import { parseToolsets, toolsetNames } from '@agentpty/protocol/mcp'
import type { RegistrationChange } from '@agentpty/protocol/setup'
import { type Command, exitCode, textFlag, textsFlag } from '../command.ts'

export const initClients: Command = {
  name: 'init',
  usage: '',
  summary: 'register agentpty with the agents and editors on this machine',
  group: 'start',
  words: [0, 0],
  flags: {
    client: {
      type: 'string',
      multiple: true,
      value: 'NAME',
      choices: registrableClients,
      help: 'only this client, even if it is not installed; may be repeated',
    },
    yes: { type: 'boolean', short: 'y', help: 'change the files; without it, only show the changes' },
    http: { type: 'boolean', help: 'register the address and the token instead of the command' },
    toolset: {
      type: 'string',
      value: 'NAMES',
      choices: toolsetNames,
      help: 'register this toolset, or several as a,b; the toolset of another product is registered under its name',
    },
    undo: { type: 'boolean', help: 'restore the files; with --toolset, remove only that toolset' },
  },
  notes: [
    'Without --yes it only shows the changes. Agents and editors must be restarted afterwards. Check them with: agentpty doctor',
    'With --http a daemon must be running: any command starts one, or a service manager runs `agentpty serve`.',
  ],
  examples: [
    'agentpty init',
    'agentpty init --yes',
    'agentpty init --client codex --yes',
    'agentpty init --http --toolset terminal-agent --client copilot --yes',
    'agentpty init --undo --yes',
  ],
  run: async ({ options, flags, json }) => {
    const names = textsFlag(flags, 'client').map(asClient)
    const isYes = flags['yes'] === true
    const isUndo = flags['undo'] === true
    const toolset = textFlag(flags, 'toolset')
    const toolsets = toolset === undefined ? null : parseToolsets(toolset)
    const registrar = await options.registrar({ http: flags['http'] === true && !isUndo, toolsets })
    const server = toolsets === null ? null : registrar.server.name
    const changes = isUndo
      ? registrar.undo(names, { isDry: !isYes, server })
      : isYes
        ? registrar.register(names)
        : registrar.plan(names)
    const { note } = registrar.server
    options.print(
      json ? `${JSON.stringify({ changed: isYes, note, clients: changes })}\n` : toText(changes, isYes, note),
    )
    return changes.some(({ kind }) => kind === 'problem') ? exitCode.failed : exitCode.ok
  },
}

function asClient(name: string): RegistrableClient {
  const known = registrableClients.find((one) => one === name)
  if (known !== undefined) return known
  throw invalidInput(`No client "${name}" is known.`, `Choose from: ${registrableClients.join(', ')}.`)
}

const words: Readonly<Record<RegistrationChange['kind'], readonly [before: string, after: string]>> = {
  add: ['would add', 'added'],
  update: ['would change', 'changed'],
  remove: ['would remove', 'removed'],
  restore: ['would put back', 'put back'],
  same: ['is as it should be', 'is as it should be'],
  problem: ['PROBLEM', 'PROBLEM'],
}

function toText(changes: readonly RegistrationChange[], isDone: boolean, note: string): string {
  if (changes.length === 0)
    return `No client was found here. Name one with --client: ${registrableClients.join(', ')}.\n`
  const lines = changes.map((change) => {
    const { title, kind, path, detail } = change
    const besides = change.note === '' ? '' : `  NOTE: ${change.note}\n`
    return `${title}: ${words[kind][isDone ? 1 : 0]}\n  ${path}\n  ${detail}\n${besides}`
  })
  const isOpen = !isDone && changes.some(({ kind }) => kind !== 'same' && kind !== 'problem')
  const more = isOpen ? 'Nothing is changed yet: add --yes to do it.\n' : ''
  return `${lines.join('')}${note === '' ? '' : `${note}\n`}${more}`
}
