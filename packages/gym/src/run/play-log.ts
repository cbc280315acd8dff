/** The log of one trial, step by step, as its files contain it: for verifiers, for players of recordings, and for training. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Client, type Clock, defined } from '@agentpty/protocol'
import { shownText } from '@agentpty/protocol/approvals'
import type { Action, ResetResult, StepResult } from '@agentpty/protocol/gym'
import { givenMarkersMax, markerCharactersMax } from '@agentpty/protocol/recording'
import type { TrajectoryAgent } from '../atif/trajectory.ts'
import { TrajectoryWriter } from '../atif/trajectory-writer.ts'
import { jsonFileText, writeWhole } from '../whole-file.ts'
import type { TypedStep } from './job-result.ts'

/** In the folder of the agent's files. */
export const playPlaces = {
  actions: 'actions.jsonl',
  recording: 'recording.cast',
  screen: 'screen.txt',
  final: 'final.json',
  trajectory: 'trajectory.json',
} as const

interface PlayedStep {
  readonly action: Action
  readonly result: StepResult
}

interface PlayAbout {
  readonly agent: TrajectoryAgent
  readonly isScripted: boolean
  readonly instruction: string
  /** Fields that are needed to play it again. */
  readonly extra: Readonly<Record<string, unknown>>
}

export class PlayLog {
  readonly #writer: TrajectoryWriter
  readonly #about: PlayAbout
  readonly #steps: PlayedStep[] = []
  readonly #typed: TypedStep[] = []
  #begun: ResetResult | null = null

  constructor(clock: Pick<Clock, 'wall'>, about: PlayAbout) {
    this.#about = about
    this.#writer = new TrajectoryWriter({ clock, agent: about.agent })
    this.#writer.addUser({ message: about.instruction })
  }

  begin(begun: ResetResult): void {
    this.#begun = begun
  }

  get steps(): number {
    return this.#steps.length + this.#typed.length
  }

  get terminalId(): string | null {
    const id = this.#begun?.info.terminalId ?? ''
    return id === '' ? null : id
  }

  add(step: PlayedStep): void {
    this.#steps.push(step)
    const { action, result } = step
    const { observation, reward, terminated, truncated, info } = result
    const { cursor, timing, state, kind, exitCode } = info
    const id = `step_${this.#steps.length}`
    this.#writer.addAgent({
      message: '',
      isScripted: this.#about.isScripted,
      toolCalls: [{ tool_call_id: id, function_name: 'step', arguments: { action } }],
      observations: [{ source_call_id: id, content: observation }],
      reward,
      extra: defined({ state, kind, exit_code: exitCode, terminated, truncated, cursor, step_ms: timing.stepMs }),
    })
  }

  addTyped(typed: TypedStep): void {
    this.#typed.push(typed)
    const id = `typed_${this.#typed.length}`
    this.#writer.addAgent({
      message: '',
      toolCalls: [{ tool_call_id: id, function_name: typed.verb, arguments: typed.arguments }],
      observations: [{ source_call_id: id, content: typed.observation }],
      extra: { cursor: typed.cursor, at: typed.at },
    })
  }

  /** Before its programs are ended. Errors: `session_not_found`, `machine_unfit`. */
  async write(client: Pick<Client, 'call'>, folder: string): Promise<void> {
    const { terminalId } = this
    writeWhole(
      join(folder, playPlaces.actions),
      this.#lines()
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(''),
    )
    const last = this.#steps.at(-1)?.result
    const final = {
      terminated: last?.terminated ?? false,
      truncated: last?.truncated ?? false,
      exitCode: last?.info.exitCode ?? null,
    }
    writeWhole(join(folder, playPlaces.final), jsonFileText(final))
    if (terminalId !== null) {
      const { screen } = await client.call('screenshot', { terminalId, format: 'plain' })
      writeWhole(join(folder, playPlaces.screen), `${screen}\n`)
      const markers = this.#markers()
      const { recording } = await client.call('recording', { terminalId, version: 3, markers })
      writeWhole(join(folder, playPlaces.recording), recording)
    }
    this.writeTrajectory(folder, null)
  }

  /** `reward`: of the whole, once it is known. Errors: `machine_unfit`. */
  writeTrajectory(folder: string, rewards: Readonly<Record<string, number>> | null): void {
    const screen = screenIn(folder)
    const extra = defined({
      ...this.#about.extra,
      rewards: rewards ?? undefined,
      first_observation: this.#begun?.observation,
      screen,
    })
    this.#writer.end(defined({ extra, reward: rewards?.['reward'] }))
    this.#writer.write(join(folder, playPlaces.trajectory))
  }

  #lines(): readonly object[] {
    const typed = this.#typed.map(({ verb, arguments: given, observation, cursor }, at) => ({
      step: at + 1,
      action: { type: verb, ...given },
      observation,
      cursor,
    }))
    return [...this.#steps.map(actionLine), ...typed]
  }

  #markers() {
    const main = this.terminalId
    const typed = this.#typed.slice(0, givenMarkersMax).flatMap(({ verb, arguments: given, cursor }, at) => {
      if (given['terminal'] !== undefined) return []
      const label = `${at + 1}: ${String(given['text'] ?? verb)}`
      return [{ offset: cursor.from, label: label.slice(0, markerCharactersMax) }]
    })
    const acted = this.#steps.flatMap(({ action, result: { info } }, at) => {
      if (info.terminalId !== main || at >= givenMarkersMax) return []
      const label = `${at + 1}: ${shortAction(action)}`
      return [{ offset: info.cursor.from, label: label.slice(0, markerCharactersMax) }]
    })
    return [...acted, ...typed]
  }
}

function screenIn(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, playPlaces.screen), 'utf8')
  } catch {
    // A trial that ended before it had a terminal has none.
    return undefined
  }
}

function actionLine({ action, result }: PlayedStep, at: number) {
  const { observation, info } = result
  return defined({ step: at + 1, action, observation, state: info.state, exitCode: info.exitCode, cursor: info.cursor })
}

/** Returns an action as a person reads it in one line. */
function shortAction(action: Action): string {
  if (typeof action === 'string') return action
  if ('keystrokes' in action) return JSON.stringify(action.keystrokes)
  const { type, ...rest } = action
  const [first] = Object.values(rest)
  if (type === 'keys') return rest && 'keys' in rest ? rest.keys.join(' ') : type
  return first === undefined ? type : `${type} ${typeof first === 'string' ? first : JSON.stringify(first)}`
}

const charactersMax = 200

/** The last line of what a program has written, as people may be shown it; null for nothing. */
export function lastWordsOf(output: Buffer): string | null {
  const line = output.toString().trim().split('\n').at(-1) ?? ''
  return line === '' ? null : shownText(line, charactersMax)
}
