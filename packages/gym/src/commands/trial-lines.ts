/** Trials as people read them during a run: a line for each finished trial, and one for the current state. */

import { type CommandCall, cell, ProgressLine } from '@agentpty/cli'
import type { RunEvent, RunSummary, TrialRow } from '@agentpty/protocol/gym'

const signs: Readonly<Record<TrialRow['outcome'], string>> = {
  rewarded: ' ',
  unrewarded: '✗',
  failed: '!',
  cancelled: '-',
}
const barCells = 20
const problemCharacters = 100
const failureCharacters = 600
const noteCharacters = 200

export class TrialLines {
  readonly #call: CommandCall
  readonly #progress: ProgressLine
  readonly #running: string[] = []
  #total = 0
  #ended = 0
  #widest = 20
  /** Tasks whose notes were printed. */
  readonly #noted = new Set<string>()

  constructor(call: CommandCall) {
    this.#call = call
    this.#progress = new ProgressLine(call)
  }

  tell(event: RunEvent): void {
    if (event.kind === 'begins') {
      this.#total = event.total
      if (!this.#call.json)
        this.#call.options.complain(`${event.total} trial${event.total === 1 ? '' : 's'} → ${event.folder}\n\n`)
    }
    if (event.kind === 'trial') this.#running.push(event.task)
    if (event.kind === 'ended') this.#end(event.row)
    this.#progress.show(`${bar(this.#ended, this.#total)} ${this.#ended}/${this.#total}  ${this.#running.join(', ')}`)
  }

  clear(): void {
    this.#progress.clear()
  }

  #end(row: TrialRow): void {
    this.#ended++
    const at = this.#running.indexOf(row.task)
    if (at >= 0) this.#running.splice(at, 1)
    this.#progress.clear()
    this.#widest = Math.max(this.#widest, nameOf(row).length)
    if (this.#call.json) return
    const notes = row.notes.map((note) => `    ${cell(note, noteCharacters)}\n`).join('')
    const isNew = !this.#noted.has(row.task)
    this.#noted.add(row.task)
    void this.#call.options.print(trialLine(row, this.#widest) + (isNew ? notes : ''))
  }
}

const nameOf = ({ task, seed, agent }: TrialRow): string => `${task}${seed === null ? '' : `#${seed}`}  ${agent}`

/** @example `✓ tty-30/htop-kill#1  oracle    1  0.8 s   12 steps` */
export function trialLine(row: TrialRow, width: number): string {
  const { outcome, reward, steps, durationMs, problem } = row
  const sign = outcome === 'rewarded' ? (reward === 1 ? '✓' : reward === 0 ? '✗' : '~') : signs[outcome]
  const shown = reward === null ? '–' : shortNumber(reward)
  const took = `${(durationMs / 1_000).toFixed(1)} s`
  const why = problem === null ? '' : shownProblem(problem, outcome)
  return `${sign} ${nameOf(row).padEnd(width)}  ${shown.padStart(4)}  ${took.padStart(7)}  ${String(steps).padStart(3)} steps${why}\n`
}

/** A fault of the machinery ends with the next step to take, and gets a line of its own. */
const shownProblem = (problem: string, outcome: TrialRow['outcome']): string =>
  outcome === 'failed' ? `\n    ${cell(problem, failureCharacters)}` : `  ${cell(problem, problemCharacters)}`

export const shortNumber = (value: number): string => String(Math.round(value * 1_000) / 1_000)

function bar(ended: number, total: number): string {
  const full = total === 0 ? 0 : Math.round((ended / total) * barCells)
  return '━'.repeat(full) + '╌'.repeat(barCells - full)
}

export function summaryText({ rows, meanReward, durationMs, folder }: RunSummary): string {
  const count = (outcome: TrialRow['outcome']) => rows.filter((row) => row.outcome === outcome).length
  const solved = rows.filter(({ reward }) => reward !== null && reward >= 1).length
  const failed = count('failed')
  const parts = [
    `${solved} of ${rows.length} solved`,
    `mean reward ${meanReward === null ? '–' : shortNumber(meanReward)}`,
    ...(failed > 0 ? [`${failed} failed by the machinery and left out`] : []),
    ...(count('cancelled') > 0 ? [`${count('cancelled')} cancelled`] : []),
    `${(durationMs / 1_000).toFixed(1)} s`,
  ]
  return `\n${parts.join(' · ')}\n${folder}/result.json\n`
}
