/** Secret questions that wait for a person. Each is known by a name that cannot be guessed, and answered once. */

import { randomBytes } from 'node:crypto'
import type { Client } from '../../../contracts/client.ts'
import { TermError } from '../../../contracts/errors.ts'
import { secretKeptMs, secretsMax } from '../../../contracts/limits.ts'
import type { Clock } from '../../../contracts/ports.ts'
import type { SecretAnswers, SecretOutcome, SecretQuestion } from '../../../contracts/questions/secret-answers.ts'
import { type Asked, cursorOf } from './asked.ts'

interface Open {
  readonly asked: Asked
  /** Types as whoever asked. */
  readonly client: Client
  readonly answered: (isTyped: boolean) => void
  readonly whenAnswered: Promise<boolean>
  isTaken: boolean
}

export class OpenSecrets implements SecretAnswers {
  readonly #clock: Clock
  /** Those that were answered stay as long as the others: whoever asked may come later than the person. */
  readonly #open = new Map<string, Open>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The question's name. Errors: `limit_reached`. */
  add(client: Client, asked: Asked): string {
    if (this.#open.size >= secretsMax)
      throw new TermError('limit_reached', `${secretsMax} questions wait for a person.`, 'Let some be answered first.')
    const id = randomBytes(16).toString('hex')
    let answered = (_isTyped: boolean) => {}
    const whenAnswered = new Promise<boolean>((resolve) => {
      answered = resolve
    })
    this.#clock.callAt(this.#clock.now() + secretKeptMs, () => void this.#open.delete(id))
    this.#open.set(id, { asked, client, answered, whenAnswered, isTaken: false })
    return id
  }

  question(id: string): SecretQuestion | null {
    const open = this.#open.get(id)
    return open === undefined || open.isTaken ? null : open.asked
  }

  async answer(id: string, text: string): Promise<SecretOutcome> {
    const open = this.#open.get(id)
    if (open === undefined || open.isTaken) return 'gone'
    open.isTaken = true
    const outcome = await type(open, text)
    open.answered(outcome === 'typed')
    return outcome
  }

  /** Resolves when a person has been there; false when nothing was typed. */
  whenAnswered(id: string): Promise<boolean> {
    return this.#open.get(id)?.whenAnswered ?? Promise.resolve(false)
  }
}

async function type({ asked: { terminalId, cursor }, client }: Open, text: string): Promise<SecretOutcome> {
  // It has gone on, and what it reads now may be shown.
  if ((await cursorOf(client, terminalId)) !== cursor) return 'gone'
  await client.call('send', { terminalId, text, waitFor: 'none' })
  return 'typed'
}
