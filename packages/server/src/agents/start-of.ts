/** How an adapter starts its program: the command, its variables, and whether the first instruction is in it already. */

import { randomUUID } from 'node:crypto'
import { quote } from '@agentpty/engine/host'
import { TermError } from '@agentpty/protocol'
import { type Adapter, permissionModesOf } from '@agentpty/protocol/agents'

export interface Wanted {
  /** Null: as its settings say. */
  readonly model: string | null
  /** Null: typed once it is idle, or none at all. */
  readonly instruction: string | null
  /** Null: a new one. */
  readonly goesOn: GoesOn | null
}

/** From which conversation it goes on, as its program calls it: in it, or in a new one that begins as that stands. */
export interface GoesOn {
  readonly how: 'resume' | 'fork'
  readonly conversation: string
  /** Where it is started. */
  readonly cwd: string
}

export interface Start {
  readonly command: string | string[]
  readonly env: Record<string, string>
  /** The id that its conversation begins with; null where the program chooses one. */
  readonly conversation: string | null
}

/** In which a program finds the instruction that is its standard input. */
const instructionVariable = 'AGENTPTY_INSTRUCTION'

/** Errors: `invalid_input` for a model or permissions that it does not have. */
export function startOf(adapter: Adapter, { model, instruction, goesOn }: Wanted): Start {
  const { conversation, words: talk } = conversationOf(adapter, goesOn)
  const words = [...adapter.command, ...permissionsOf(adapter), ...modelOf(adapter, model), ...talk]
  const { firstInstruction } = adapter
  const env = { ...adapter.env }
  if (instruction !== null && firstInstruction.by === 'argument') words.push(instruction)
  if (instruction !== null && firstInstruction.by === 'flag') words.push(firstInstruction.flag, instruction)
  if (instruction !== null && firstInstruction.by === 'stdin') {
    env[instructionVariable] = instruction
    return { command: piped(words), env, conversation }
  }
  return {
    command: adapter.throughShell === true ? lineForUsersShell(words.map(quote).join(' ')) : words,
    env,
    conversation,
  }
}

/** Errors: `invalid_input` for what its program cannot. */
function conversationOf(adapter: Adapter, goesOn: GoesOn | null) {
  const { begin } = adapter.conversations
  const own = begin === null || goesOn?.how === 'resume' ? null : randomUUID()
  const words = own === null ? [] : named(begin ?? [], own)
  if (goesOn === null) return { conversation: own, words }
  const { how, conversation, cwd } = goesOn
  const first = adapter.conversations[how]
  if (first === null) throw cannot(adapter, how)
  return { conversation: how === 'resume' ? conversation : own, words: [...named(first, conversation, cwd), ...words] }
}

const named = (words: readonly string[], id: string, cwd = '') =>
  words.map((word) => (word === '{cwd}' ? cwd : word.replaceAll('{id}', id)))

function cannot({ name, conversations }: Adapter, how: GoesOn['how']): TermError {
  const what = how === 'fork' ? 'begin a new conversation from another' : 'go on with an earlier conversation'
  const other = conversations.resume === null ? '' : ' It can be resumed once it has ended: agentpty agent resume.'
  const hint = `Start a new one: agentpty agent spawn ${name}.${how === 'fork' ? other : ''}`
  return new TermError('invalid_input', `The agent ${name} cannot ${what}.`, hint)
}

function permissionsOf(adapter: Adapter): readonly string[] {
  const { name, permissions, permissionMode } = adapter
  const words = permissions[permissionMode]
  if (words !== null) return words
  throw new TermError(
    'invalid_input',
    `The agent ${name} has no permissions "${permissionMode}".`,
    `Set agents.${name}.permissions in config.yaml to one of: ${permissionModesOf(adapter).join(', ')}.`,
  )
}

function modelOf({ name, modelFlag, models, defaultModel }: Adapter, asked: string | null): readonly string[] {
  const model = asked ?? defaultModel
  if (model === null) return []
  if (modelFlag === null)
    throw new TermError(
      'invalid_input',
      `No model can be chosen for the agent ${name}.`,
      'Leave it out, or set agents.NAME.model_flag in config.yaml.',
    )
  if (models.length > 0 && !models.includes(model))
    throw new TermError(
      'invalid_input',
      `The agent ${name} has no model "${model}".`,
      `There are: ${models.join(', ')}.`,
    )
  return [modelFlag, model]
}

/** Its start-up files may say where programs are, and what they need. */
export function lineForUsersShell(line: string): string {
  return `exec "$SHELL" -ic ${quote(line)}`
}

function piped(words: readonly string[]): string[] {
  return ['/bin/sh', '-c', `printf '%s' "$${instructionVariable}" | "$0" "$@"`, ...words]
}
