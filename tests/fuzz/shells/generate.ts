/** Random cases: a seed gives the same steps on every machine. */

import { Random } from '../../harness/random.ts'
import { type Case, dangers, type Step, safePrograms } from './case.ts'
import { fragments } from './fragments-table.ts'
import { editingKeys } from './keys-table.ts'
import { templatesOf } from './lines-table.ts'
import { optionsOf } from './options-table.ts'

const linesPerCase = 24
const waitMs = 400
/** Shells whose integration reports the text of the line editor. */
const reporting: ReadonlySet<string> = new Set(['bash', 'zsh', 'fish'])

export function generate(shell: string, seed: number): Case {
  const random = new Random(seed)
  const steps: Step[] = []
  for (let line = 0; line < linesPerCase; line++) steps.push(...new Generator(shell, random).line())
  return { shell, seed, steps }
}

class Generator {
  readonly #shell: string
  readonly #random: Random

  constructor(shell: string, random: Random) {
    this.#shell = shell
    this.#random = random
  }

  line(): Step[] {
    const steps = this.#line()
    // Lines of a shell without reports need approval until ctrl+c has dropped the unknown line.
    const isBlind = !reporting.has(this.#shell)
    return isBlind && this.#random.chance(0.6) ? [...steps, this.#press('ctrl+c')] : steps
  }

  #line(): Step[] {
    const random = this.#random
    const kind = random.below(20)
    if (kind < 1) return [this.#send(random.pick(optionsOf(this.#shell)))]
    if (kind < 8) return this.#deliver(this.#fill(random.pick(templatesOf(this.#shell))))
    if (kind < 13) return this.#edited()
    if (kind < 16) return this.#deliver(this.#fragments())
    if (kind < 17) return [this.#send(this.#safe())]
    if (kind < 18) return this.#recalled()
    return this.#deliver(`${this.#fragments()}\n${this.#fragments()}`)
  }

  /** S is a safe command, D a dangerous one. */
  #fill(template: string): string {
    return template.replace(/\b[SD]\b/g, (letter) => (letter === 'S' ? this.#safe() : this.#danger()))
  }

  #safe(): string {
    const letters = Array.from({ length: 4 }, () => String.fromCharCode(97 + this.#random.below(26))).join('')
    return `${this.#random.pick(safePrograms)} k${letters}`
  }

  #danger(): string {
    return this.#random.chance(0.7) ? dangers[0] : this.#random.pick(dangers)
  }

  #fragments(): string {
    const count = 2 + this.#random.below(6)
    return Array.from({ length: count }, () => this.#fill(this.#random.pick(fragments))).join('')
  }

  /** The text in one call or in several, by each of the verbs that type. */
  #deliver(text: string): Step[] {
    const random = this.#random
    const lines = text.split('\n')
    const isUnfinished = random.chance(0.6) ? [this.#press('ctrl+c')] : []
    const way = random.below(lines.length > 1 ? 6 : 3)
    if (way === 0) return [{ run: text, waitMs: this.#wait() }, ...isUnfinished]
    if (way === 1) return [{ write: `${lines.join('\r')}\r`, waitMs: this.#wait() }, ...isUnfinished]
    if (way === 2) return [this.#send(text), ...isUnfinished]
    if (way === 3)
      return [{ write: `\x1b[200~${text}\x1b[201~`, waitMs: this.#wait() }, this.#press('enter'), ...isUnfinished]
    const ends = random.chance(0.2) ? [this.#press('ctrl+d')] : isUnfinished
    return [...lines.map((line) => this.#send(line)), ...ends]
  }

  /** A line that keys change before Enter. */
  #edited(): Step[] {
    const random = this.#random
    const text = random.pick([
      'D',
      'true D',
      'xD',
      'true && D',
      'echo D',
      '# D',
      'S # D',
      's1 D',
      'D \u{1f600}',
      '#\u{1f600}\u00e9D',
      'echo "D"',
      "echo 'S; D'",
      'mr -r V',
    ])
    const steps = random.chance(0.3) ? [this.#send(this.#fill(random.pick(['true D', 'echo D', 's1 D'])))] : []
    if (random.chance(0.85)) steps.push(this.#send(this.#fill(text.replace('xD', 'x D')).replace('x ', 'x'), false))
    const groups = 1 + random.below(3)
    for (let at = 0; at < groups; at++) steps.push(this.#press(...this.#keys(1 + random.below(5))))
    if (random.chance(0.3)) steps.push(this.#send(this.#fill(random.pick(['D', ' D', 'S', '; D', 'x', '"'])), false))
    const last = steps.at(-1)
    if (last !== undefined && 'keys' in last && random.chance(0.4)) last.keys.push('enter')
    else steps.push(this.#press('enter'))
    return steps
  }

  #recalled(): Step[] {
    const random = this.#random
    const keys = this.#keys(2 + random.below(4))
    return [this.#press(random.pick(['up', 'ctrl+p', 'up', 'alt+.', 'ctrl+r']), ...keys), this.#press('enter')]
  }

  #keys(count: number): string[] {
    return Array.from({ length: count }, () => this.#random.pick(editingKeys))
  }

  #send(send: string, newline = true): Step {
    return { send, newline, waitMs: newline ? this.#wait() : 0 }
  }

  #press(...keys: string[]): Step & { keys: string[] } {
    return { keys, waitMs: keys.includes('enter') || keys.includes('ctrl+c') ? this.#wait() : 0 }
  }

  #wait(): number {
    return this.#random.chance(0.15) ? 0 : waitMs
  }
}
