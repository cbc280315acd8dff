/** `agentpty init`: registers with the agents and editors of this machine, after showing what that would change. */

import { TermError } from '../../../contracts/errors.ts'
import { type RegistrableClient, type RegistrationChange, registrableClients } from '../../../contracts/registration.ts'
import { type Command, exitCode, textsFlag } from '../command.ts'

export const initClients: Command = {
  name: 'init',
  usage: '',
  summary: 'register with the agents and editors found here; shows what it would change, --yes changes it',
  group: 'agents',
  words: [0, 0],
  flags: {
    client: {
      type: 'string',
      multiple: true,
      value: 'NAME',
      choices: registrableClients,
      help: 'this one, installed or not; may repeat',
    },
    yes: { type: 'boolean', short: 'y', help: 'change the files' },
    undo: { type: 'boolean', help: 'put the files back as they were' },
  },
  examples: ['agentpty init --yes', 'agentpty init --client codex --yes', 'agentpty init --undo --yes'],
  run: async ({ options, flags, json }) => {
    const registrar = await options.registrar()
    const names = textsFlag(flags, 'client').map(asClient)
    const [isYes, isUndo] = [flags['yes'] === true, flags['undo'] === true]
    const changes = isUndo ? registrar.undo(names, !isYes) : isYes ? registrar.register(names) : registrar.plan(names)
    options.print(json ? `${JSON.stringify({ changed: isYes, clients: changes })}\n` : toText(changes, isYes))
    return changes.some(({ kind }) => kind === 'problem') ? exitCode.failed : exitCode.ok
  },
}

function asClient(name: string): RegistrableClient {
  const known = registrableClients.find((one) => one === name)
  if (known !== undefined) return known
  throw new TermError(
    'invalid_input',
    `No client "${name}" is known.`,
    `Choose from: ${registrableClients.join(', ')}.`,
  )
}

const words: Readonly<Record<RegistrationChange['kind'], readonly [before: string, after: string]>> = {
  add: ['would add', 'added'],
  update: ['would change', 'changed'],
  remove: ['would remove', 'removed'],
  restore: ['would put back', 'put back'],
  same: ['is as it should be', 'is as it should be'],
  problem: ['PROBLEM', 'PROBLEM'],
}

function toText(changes: readonly RegistrationChange[], isDone: boolean): string {
  if (changes.length === 0) return 'No client was found here. Name one with --client; agentpty help init lists them.\n'
  const lines = changes.map(
    ({ title, kind, path, detail }) => `${title}: ${words[kind][isDone ? 1 : 0]}\n  ${path}\n  ${detail}\n`,
  )
  const isOpen = !isDone && changes.some(({ kind }) => kind !== 'same' && kind !== 'problem')
  return `${lines.join('')}${isOpen ? 'Nothing is changed yet: add --yes to do it.\n' : ''}`
}
