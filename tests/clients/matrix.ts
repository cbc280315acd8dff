/**
 * Records which client reached agentpty over which transport, from the tests' outcomes. Printed at the end of a run and saved for
 * the documentation.
 */

import { mkdirSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'

export interface Outcome {
  readonly client: string
  readonly version: string
  /** The transport. */
  readonly way: string
  /** The protocol version of its tool calls; empty if it did not call any. */
  readonly era: string
  readonly ok: boolean
}

export const outcomesFolder = resolve('.cache/clients-outcomes')

export class Matrix {
  readonly #name: string
  readonly #outcomes: Outcome[] = []

  constructor(name: string) {
    this.#name = name
  }

  /** `run` returns the era in which the client spoke. */
  async running(row: Pick<Outcome, 'client' | 'version' | 'way'>, run: () => Promise<string>): Promise<void> {
    const index = this.#outcomes.push({ ...row, era: '', ok: false }) - 1
    const era = await run()
    this.#outcomes[index] = { ...row, era, ok: true }
  }

  report(): void {
    mkdirSync(outcomesFolder, { recursive: true })
    writeFileSync(resolve(outcomesFolder, `${this.#name}.json`), JSON.stringify(this.#outcomes, null, 1))
    process.stdout.write(`\n${toTable(this.#outcomes)}\n`)
  }
}

/** A line for each client and era, a column for each transport. */
export function toTable(outcomes: readonly Outcome[]): string {
  const ways = [...new Set(outcomes.map(({ way }) => way))]
  const clients = [...new Set(outcomes.map(keyOf))]
  const rows = clients.map((key) => {
    const own = outcomes.filter((one) => keyOf(one) === key)
    const { client = '', version = '' } = own[0] ?? {}
    return [client, version, ...ways.map((way) => cellOf(own.filter((one) => one.way === way)))]
  })
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const head = ['client', 'version', ...ways]
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n')
}

const keyOf = ({ client, version }: Outcome) => `${client} ${version}`

const cellOf = (outcomes: readonly Outcome[]) => outcomes.map(({ ok, era }) => (ok ? era : 'FAILED')).join(', ') || '–'
