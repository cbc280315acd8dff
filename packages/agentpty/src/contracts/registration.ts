/** Registering agentpty with the clients of a machine. */

export const registrableClients = [
  'claude',
  'codex',
  'gemini',
  'copilot',
  'opencode',
  'qwen',
  'cursor',
  'windsurf',
  'vscode',
  'claude-desktop',
  'zed',
  'goose',
] as const
export type RegistrableClient = (typeof registrableClients)[number]

export interface RegistrationChange {
  readonly client: RegistrableClient
  readonly title: string
  readonly path: string
  /** `same`: nothing is to be done. `problem`: the file is left alone. */
  readonly kind: 'add' | 'update' | 'remove' | 'restore' | 'same' | 'problem'
  /** The entry as it will be, or what is wrong. */
  readonly detail: string
}

/** `names`: these clients, installed or not; none: all that are found, or that were registered before. */
export interface Registrar {
  plan(names: readonly RegistrableClient[]): readonly RegistrationChange[]
  register(names: readonly RegistrableClient[]): readonly RegistrationChange[]
  /** `isDry`: only says what would be done. */
  undo(names: readonly RegistrableClient[], isDry: boolean): readonly RegistrationChange[]
}
