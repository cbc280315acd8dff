/** A terminal of a test's ptyhost, with the messages of its gate. */

import type { Pty } from '@agentpty/protocol'
import type { EffectQuestion, GateMessage } from '@agentpty/protocol/effects'
import { Recorder } from '../harness/host-fixture.ts'
import { until } from '../harness/instance.ts'

export class GatedTerminal {
  readonly messages: GateMessage[] = []
  readonly recorder: Recorder
  readonly pty: Pty

  #answersAll: 'allow' | 'deny' | null = null

  constructor(pty: Pty) {
    this.pty = pty
    const attach: Pty['attach'] = (from, events) =>
      pty.attach(from, { ...events, gate: (message) => this.#receive(message) })
    this.recorder = new Recorder({ ...pty, attach })
  }

  #receive(message: GateMessage): void {
    this.messages.push(message)
    if (this.#answersAll !== null && message.kind === 'asks' && message.answer === 'open')
      this.pty.answerGate({ kind: 'answer', id: message.id, answer: this.#answersAll })
  }

  /** Every question that comes from now on gets this answer. */
  answersAll(answer: 'allow' | 'deny'): void {
    this.#answersAll = answer
  }

  get text(): string {
    return this.recorder.text
  }

  /** The last report of each question. */
  get questions(): readonly EffectQuestion[] {
    const last = new Map<number, EffectQuestion>()
    for (const message of this.messages) if (message.kind === 'asks') last.set(message.id, message)
    return [...last.values()]
  }

  async question(): Promise<EffectQuestion> {
    await until(() => this.questions.some(({ answer }) => answer === 'open'))
    return this.questions.find(({ answer }) => answer === 'open') as EffectQuestion
  }

  async answer(answer: 'allow' | 'deny'): Promise<EffectQuestion> {
    const question = await this.question()
    this.pty.answerGate({ kind: 'answer', id: question.id, answer })
    await until(() => this.questions.some((one) => one.id === question.id && one.answer !== 'open'))
    return question
  }

  async close(): Promise<void> {
    await this.pty.close({ graceMs: 100, leaveDaemons: false })
  }
}
