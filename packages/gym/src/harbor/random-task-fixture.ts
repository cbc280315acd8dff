/** Random tasks, the same for the same seed. */

import type { WrittenTask } from './harbor-task.ts'

const strange = [
  ...['', 'plain', 'with "quotes"', "it's", 'a\\b', 'Zeile\nzwei', '日本語', '\t', '$(HOME)', '[x]', '# y'],
  'e\u0301👩‍👩‍👧',
] as const
const phases = [
  { network_mode: null },
  { network_mode: 'no-network' },
  { network_mode: 'allowlist', allowed_hosts: ['*.example.com', 'a'] },
] as const

export function randomTask(seed: number): WrittenTask {
  return new RandomTask(seed).task()
}

class RandomTask {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  task(): WrittenTask {
    const authors = this.#list(() => ({ name: this.#text() }))
    const about = this.#some({ description: this.#text(), keywords: this.#list(() => this.#text()), authors })
    return this.#some({
      source: this.#text(),
      multi_step_reward_strategy: this.#pick(['mean', 'final'] as const),
      artifacts: this.#artifacts(),
      task: { name: 'org/name', ...about },
      steps: this.#list(() => 0).map((_, index) => this.#step(index)),
      metadata: { [`m ${this.#text()}`]: this.#free(0) },
      verifier: this.#verifier(),
      agent: this.#agent(),
      environment: this.#environment(),
      solution: this.#some({ env: this.#variables() }),
      own: this.#free(0),
    })
  }

  /** From 0 to 1. mulberry32: small, and spread well enough to choose keys by. */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  #pick<Item>(items: readonly [Item, ...Item[]]): Item {
    return items[Math.floor(this.#next() * items.length)] ?? items[0]
  }

  /** Keeps each key with a probability of 1/2. */
  #some<Table extends object>(table: Table): Partial<Table> {
    const kept: Partial<Table> = {}
    for (const key in table) if (this.#next() < 0.5) kept[key] = table[key]
    return kept
  }

  #list<Item>(make: () => Item): Item[] {
    return Array.from({ length: Math.floor(this.#next() * 4) }, make)
  }

  #text = (): string => this.#pick(strange)
  #whole = (): number => Math.floor(this.#next() * 100_000)
  #seconds = (): number => this.#pick([1, 0.5, 600, 28_800.25])
  #user = (): string | number => this.#pick<string | number>(['root', 1_000])
  #variables = () => Object.fromEntries(this.#list(() => [`V${this.#whole()}`, this.#text()]))

  /** Whatever TOML can hold. */
  #free(depth: number): unknown {
    const inner = () => (depth > 2 ? this.#whole() : this.#free(depth + 1))
    return this.#pick<() => unknown>([
      this.#text,
      this.#whole,
      this.#seconds,
      () => this.#next() < 0.5,
      () => this.#list(inner),
      () => ({ [`k ${this.#text()}`]: inner(), z: 1 }),
    ])()
  }

  #artifacts() {
    const table = () => ({ source: '/b', ...this.#some({ exclude: ['*.o'], service: 'db' }) })
    return this.#list(() => this.#pick<() => string | ReturnType<typeof table>>([() => '/a', table])())
  }

  #network() {
    const { network_mode: mode, ...rest } = this.#pick<(typeof phases)[number]>(phases)
    return mode === null ? {} : { network_mode: mode, ...rest }
  }

  #healthcheck = () => ({
    command: 'true',
    ...this.#some({ interval_sec: this.#seconds(), retries: 1 + this.#whole() }),
  })

  #agent = () => ({
    ...this.#some({ timeout_sec: this.#seconds(), user: this.#user(), own: this.#free(0) }),
    ...this.#network(),
  })

  #environment() {
    const server = () => ({ name: 'm', transport: 'stdio' as const, command: 'x', args: this.#list(this.#text) })
    const table = this.#some({
      build_timeout_sec: this.#seconds(),
      docker_image: 'debian:12',
      os: this.#pick(['linux', 'Windows']),
      cpus: this.#whole(),
      memory_mb: this.#whole(),
      gpu_types: this.#list(() => 'h100'),
      tpu: { type: 'v5', topology: '2x4' },
      env: this.#variables(),
      workdir: '/app',
      mcp_servers: this.#list(server),
      healthcheck: this.#healthcheck(),
      own: this.#free(0),
    })
    return { ...table, ...this.#network() }
  }

  #verifier() {
    const collect = this.#list(() => ({ command: 'c', ...this.#some({ service: 's' }) }))
    const table = {
      timeout_sec: this.#seconds(),
      env: this.#variables(),
      user: this.#user(),
      environment: this.#environment(),
      collect,
    }
    return { ...this.#some(table), ...this.#network() }
  }

  #step(index: number) {
    const reward = this.#pick<number | Readonly<Record<string, number>>>([0.5, { reward: 1 }])
    const table = {
      agent: this.#agent(),
      verifier: this.#verifier(),
      min_reward: reward,
      healthcheck: this.#healthcheck(),
      artifacts: this.#artifacts(),
    }
    return { name: `step-${index}`, ...this.#some(table) }
  }
}
