/** How an adapter starts its program: the command, its variables, and whether the first instruction is in it already. */

import { randomUUID } from 'node:crypto'
import { type Adapter, permissionModesOf } from '../../contracts/agents/adapter.ts'
import { TermError } from '../../contracts/errors.ts'
import { quote } from '../../engine/host/shell-integration.ts'

export interface Wanted {
  /** Null: as its settings say. */
  readonly model: string | null
  /** Null: typed once it is idle, or none at all. */
  readonly instruction: string | null
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
export function startOf(adapter: Adapter, { model, instruction }: Wanted): Start {
  const conversation = adapter.conversations.begin === null ? null : randomUUID()
  const begin = (adapter.conversations.begin ?? []).map((word) => word.replaceAll('{id}', conversation ?? ''))
  const words = [...adapter.command, ...permissionsOf(adapter), ...modelOf(adapter, model), ...begin]
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
