/** The daemon of this window: on its own machine, or on another one that the person has signed in to. */

import { TermError } from '@agentpty/protocol'
import * as vscode from 'vscode'
import { wordsOf } from '../terminals/session-terminal.ts'
import type { OpenClient } from './connect.ts'
import { addressAndCode, type KnownDevice, openElsewhere, signInElsewhere } from './open-elsewhere.ts'

const secretOf = (instance: string) => `agentpty.device.${instance}`

export class Elsewhere implements vscode.Disposable {
  readonly #secrets: vscode.SecretStorage
  readonly #again: () => Promise<void>
  readonly #commands: vscode.Disposable

  /** `again` reconnects to the configured machine. A change of the setting reconnects on its own. */
  constructor(secrets: vscode.SecretStorage, again: () => Promise<void>) {
    this.#secrets = secrets
    this.#again = again
    this.#commands = vscode.Disposable.from(
      vscode.commands.registerCommand('agentpty.signIn', () => this.#signIn()),
      vscode.commands.registerCommand('agentpty.signOut', () => this.#use('')),
    )
  }

  dispose(): void {
    this.#commands.dispose()
  }

  /** The configured address; null for the daemon of this machine. */
  get address(): string | null {
    const address = vscode.workspace.getConfiguration('agentpty').get<string>('address', '').trim().replace(/\/$/, '')
    return address === '' ? null : address
  }

  open(address: string): Promise<OpenClient> {
    if (!URL.canParse(address) || !/^https?:/.test(address))
      throw new TermError('invalid_input', `agentpty.address "${address}" is no address.`, 'As http://127.0.0.1:17580')
    return openElsewhere(new URL(address).origin, (instance) => this.#keyOf(instance))
  }

  async #keyOf(instance: string): Promise<KnownDevice | null> {
    const kept = await this.#secrets.get(secretOf(instance))
    return kept === undefined ? null : (JSON.parse(kept) as KnownDevice)
  }

  async #signIn(): Promise<void> {
    const pasted = await vscode.window.showInputBox({
      title: 'Sign in to another machine',
      prompt:
        'The address printed by `agentpty open --print` there. It works once, and its port must be reachable from here.',
      placeHolder: 'http://127.0.0.1:17580/#c=…',
      ignoreFocusOut: true,
      validateInput: (text) =>
        text === '' || addressAndCode(text) ? null : 'Expected an address like http://127.0.0.1:17580/#c=…',
    })
    const asked = pasted === undefined ? null : addressAndCode(pasted)
    if (asked === null) return
    try {
      const device = await signInElsewhere(asked.address, asked.code)
      await this.#secrets.store(secretOf(device.instance), JSON.stringify(device))
      await this.#use(asked.address)
    } catch (error) {
      void vscode.window.showErrorMessage(wordsOf(error))
    }
  }

  async #use(address: string): Promise<void> {
    if ((this.address ?? '') === address) return this.#again()
    const target = vscode.ConfigurationTarget.Global
    await vscode.workspace.getConfiguration('agentpty').update('address', address === '' ? undefined : address, target)
  }
}
