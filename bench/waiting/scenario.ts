/** A scenario: a program, its input, and the times at which it truly waits. The format is described in README.md. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
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

const ScenarioLine = z.object({
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
export type Scenario = z.infer<typeof ScenarioLine> & {
  /** The name of its file, without `.jsonl`. */
  readonly set: string
  /** An interactive shell without marks, if the scenario starts one of ours. */
  readonly plainShell: boolean
}

const shells: ReadonlyMap<string, string> = new Map([
  ['{BASH}', 'bash'],
  ['{ZSH}', 'zsh'],
  ['{FISH}', 'fish'],
])

/** The default shell of a scenario. */
export function shellOf(scenario: Scenario): string | undefined {
  return scenario.argv.length === 1 ? shells.get(scenario.argv[0] ?? '') : undefined
}

const suffix = '.jsonl'

/** Finds the files of sets: that of one set, named with or without `.jsonl`, or those of a folder. Errors: throws where there are none. */
export function findSets(path: string): readonly string[] {
  const name = path.replace(/\/+$/, '')
  if (name.endsWith(suffix)) return [name]
  if (existsSync(name + suffix)) return [name + suffix]
  const sets = readdirSync(name).filter((file) => file.endsWith(suffix))
  if (sets.length === 0) throw new Error(`${name} has no file *${suffix}`)
  return sets.toSorted().map((file) => join(name, file))
}

/** Reads sets, with one scenario in each line. Errors: throws on a line that is no scenario and on an id that is used twice, naming file and line. */
export function loadScenarios(files: readonly string[]): readonly Scenario[] {
  const lineOf = new Map<string, string>()
  return files.flatMap((file) =>
    linesOf(file).flatMap((text, index) => {
      const line = `${file}:${index + 1}`
      const parsed = parseScenario(text, line)
      const other = lineOf.get(parsed.id)
      if (other !== undefined) throw new Error(`${line}: the id ${parsed.id} is already used in ${other}`)
      lineOf.set(parsed.id, line)
      const scenario: Scenario = { ...parsed, set: basename(file, suffix), plainShell: false }
      const plain: Scenario = { ...scenario, id: `${scenario.id}+plain`, plainShell: true }
      return shellOf(scenario) === undefined ? [scenario] : [scenario, plain]
    }),
  )
}

const linesOf = (file: string) => readFileSync(file, 'utf8').replace(/\n$/, '').split('\n')

function parseScenario(text: string, line: string): z.infer<typeof ScenarioLine> {
  const parsed = ScenarioLine.safeParse(parseJson(text, line))
  if (!parsed.success) throw new Error(`${line} is no scenario: ${z.prettifyError(parsed.error)}`)
  return parsed.data
}

function parseJson(text: string, line: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`${line} is no JSON: ${(error as Error).message}`)
  }
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
