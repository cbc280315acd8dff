/** A scenario: a program, what is typed into it, and when it truly waits. The format is described in README.md. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'

const nothing = <Type extends z.ZodType>(type: Type) => type.nullish().transform((value) => value ?? null)

const Phase = z.object({
  send: z.string().nullable(),
  state: z.enum(['waiting', 'busy']),
  kind: z.string(),
  also: nothing(z.string()),
  marker: nothing(z.string()),
  waiter: nothing(z.string()),
  floor_ms: z.number().min(0).default(0),
  side: nothing(z.string()),
  hold_ms: z.number().min(0).default(1_000),
  anythread: z.boolean().default(false),
})

const ScenarioFile = z.object({
  id: z.string().regex(/^[\w.-]+$/),
  program: z.string(),
  family: z.string().optional(),
  argv: z.array(z.string()).min(1),
  env: z.record(z.string(), z.string()).default({}),
  user: z.string().default('ttyu'),
  packages: z.array(z.string()).default([]),
  services: z.array(z.string()).default([]),
  setup: nothing(z.string()),
  tags: z.array(z.string()).default([]),
  note: z.string().default(''),
  phases: z.array(Phase).min(1),
})

export type Phase = z.infer<typeof Phase>
export type Scenario = z.infer<typeof ScenarioFile> & {
  /** Folder it came from: its set. */
  readonly set: string
  /** An interactive shell without marks, where the scenario asks for one of ours. */
  readonly plainShell: boolean
}

const shells: ReadonlyMap<string, string> = new Map([
  ['{BASH}', 'bash'],
  ['{ZSH}', 'zsh'],
  ['{FISH}', 'fish'],
])

/** The shell a scenario starts, where it starts nothing else. */
export function shellOf(scenario: Scenario): string | undefined {
  return scenario.argv.length === 1 ? shells.get(scenario.argv[0] ?? '') : undefined
}

/** Errors: throws on a file that is no scenario, naming it. */
export function loadScenarios(folder: string): readonly Scenario[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return files.toSorted().flatMap((name) => {
    const parsed = ScenarioFile.safeParse(JSON.parse(readFileSync(join(folder, name), 'utf8')))
    if (!parsed.success) throw new Error(`${name} is no scenario: ${z.prettifyError(parsed.error)}`)
    const scenario: Scenario = { ...parsed.data, set: folder.split('/').at(-1) ?? '', plainShell: false }
    const plain: Scenario = { ...scenario, id: `${scenario.id}+plain`, plainShell: true }
    return shellOf(scenario) === undefined ? [scenario] : [scenario, plain]
  })
}

export type Variables = Readonly<Record<string, string>>

/** Fills {NAME} from the variables; unknown names stay. */
export function fill(text: string, variables: Variables): string {
  return text.replaceAll(/\{([A-Z][A-Z0-9_]*)\}/g, (whole, name: string) => variables[name] ?? whole)
}

/** A scenario with the variables filled in. */
export function fillScenario(scenario: Scenario, variables: Variables): Scenario {
  const names = { BASH: 'bash', ZSH: 'zsh', FISH: 'fish', ...variables }
  const shell = shellOf(scenario)
  return {
    ...scenario,
    argv: shell === undefined ? scenario.argv.map((part) => fill(part, names)) : scenario.argv,
    env: Object.fromEntries(Object.entries(scenario.env).map(([name, value]) => [name, fill(value, names)])),
    phases: scenario.phases.map((phase) => ({
      ...phase,
      send: phase.send === null ? null : fill(phase.send, names),
    })),
  }
}
