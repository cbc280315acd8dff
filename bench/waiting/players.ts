/** The players of one lane: one process for each user that scenarios need, each with its own engine and ptyhost. */

import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { type Environment, homeOf } from './environment.ts'
import type { Scenario } from './scenario.ts'
import type { Trace } from './trace.ts'

export interface PlayOptions {
  readonly withHook: boolean
  readonly lingerMs: number
  /** The gate of the scenario’s terminal. */
  readonly gate: string
}

export interface Players {
  /** Errors: rejects when the player itself ends. */
  play(scenario: Scenario, options: PlayOptions): Promise<Trace>
  /** The cost of all decisions. */
  close(): Promise<{ readonly samples: number; readonly cpuUs: number }>
}

type Answer = Record<string, unknown>

interface Player {
  readonly process: ChildProcessByStdio<Writable, Readable, null>
  readonly ask: (message: unknown) => Promise<Answer>
}

export function openPlayers(environment: Environment, script: string, lane: number): Players {
  const players = new Map<string, Player>()
  const playerOf = (user: string): Player => {
    const known = players.get(user)
    if (known !== undefined) return known
    const made = startPlayer(environment.asUser(user, lane, [process.execPath, script]))
    players.set(user, made)
    return made
  }
  return {
    play: async (scenario, { withHook, lingerMs, gate }) => {
      const hookFile = withHook ? join(environment.runs, `hook-${scenario.id}`) : null
      const hookEnv = {
        LD_PRELOAD: join(environment.variables['H'] ?? '', 'tty-hook.so'),
        TTY_HOOK_LOG: hookFile ?? '',
      }
      const answer = await playerOf(scenario.user).ask({
        scenario,
        sideFile: join(homeOf(environment.runs, scenario.user, lane), `side-${scenario.id}`),
        env: { RUNS: environment.runs, ...(withHook ? hookEnv : {}) },
        modeWatcher: join(environment.variables['H'] ?? '', 'modewatch'),
        hookFile,
        lingerMs,
        gate,
      })
      return answer as unknown as Trace
    },
    close: async () => {
      let samples = 0
      let cpuUs = 0
      for (const { ask, process } of players.values()) {
        const answer = await ask({ costs: true })
        samples += Number(answer['samples'])
        cpuUs += Number(answer['cpuUs'])
        process.stdin.end()
        await new Promise((resolve) => process.on('exit', resolve))
      }
      return { samples, cpuUs }
    },
  }
}

function startPlayer({ command, env }: ReturnType<Environment['asUser']>): Player {
  const [program = '', ...args] = command
  const player = spawn(program, args, { env, cwd: env['HOME'], stdio: ['pipe', 'pipe', 'inherit'] })
  const waiting: ((answer: Answer | null) => void)[] = []
  createInterface({ input: player.stdout }).on('line', (line) => waiting.shift()?.(JSON.parse(line) as Answer))
  player.on('exit', () => {
    for (const settle of waiting.splice(0)) settle(null)
  })
  const nextAnswer = () =>
    new Promise<Answer>((resolve, reject) => {
      waiting.push((answer) => (answer === null ? reject(new Error('the player ended')) : resolve(answer)))
    })
  const ready = nextAnswer()
  return {
    process: player,
    ask: async (message) => {
      await ready
      const answer = nextAnswer()
      player.stdin.write(`${JSON.stringify(message)}\n`)
      return answer
    },
  }
}
