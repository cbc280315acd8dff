import {
  Artifacts,
  checkNetwork,
  type DeepReadonly,
  FolderName,
  Healthcheck,
  Hosts,
  maybe,
  NetworkMode,
  PackageName,
  Person,
  phaseNetwork,
  Seconds,
  Texts,
  taskItemsMax,
  taskStepsMax,
  User,
  Variables,
} from '@agentpty/protocol/gym'
import * as z from 'zod'

// `[environment]` and `[verifier.environment]` of task.toml: what the task runs in.

const amount = maybe(z.number().int().min(0))

const McpServer = z
  .looseObject({
    name: z.string().min(1),
    /** `http` is another word for `streamable-http`. */
    transport: z.enum(['sse', 'streamable-http', 'http', 'stdio']).default('sse'),
    url: maybe(z.string().min(1)),
    command: maybe(z.string().min(1)),
    args: Texts.default([]),
  })
  .superRefine(({ transport, url, command }, context) => {
    const missing = transport === 'stdio' ? (command === null ? 'command' : null) : url === null ? 'url' : null
    if (missing !== null)
      context.addIssue({ code: 'custom', path: [missing], message: `transport "${transport}" needs it` })
  })

const Tpu = z.looseObject({
  type: z.string().min(1),
  topology: z.string().regex(/^\d+(?:x\d+)+$/, 'numbers with "x" between them, as "2x4"'),
})

const HarborEnvironment = z
  .looseObject({
    /** The limit, which also applies to the start. */
    build_timeout_sec: Seconds.default(600),
    docker_image: maybe(z.string().min(1)),
    os: z
      .string()
      .toLowerCase()
      .pipe(z.enum(['linux', 'windows']))
      .default('linux'),
    cpus: amount,
    memory_mb: amount,
    storage_mb: amount,
    gpus: amount,
    gpu_types: maybe(Texts),
    tpu: maybe(Tpu),
    network_mode: NetworkMode.default('public'),
    allowed_hosts: maybe(Hosts),
    /** `${NAME}` and `${NAME:-otherwise}` are resolved on the host. */
    env: Variables.default({}),
    workdir: maybe(z.string().min(1)),
    skills_dir: maybe(z.string().min(1)),
    mcp_servers: z.array(McpServer).max(taskItemsMax).default([]),
    healthcheck: maybe(Healthcheck),
  })
  .superRefine(checkNetwork)

/**
 * task.toml of Harbor, schema 1.3, and what is known of 1.4.
 *
 * `WrittenTask` is the content of a file, `HarborTask` the same with every default filled in. Unknown keys are kept at every
 * level, because the format grows from month to month. Keys of older schemas are replaced before: see legacy-keys.ts.
 */
export const schemaVersionWritten = '1.3'
const verifierSecondsDefault = 600

const About = z.looseObject({
  name: PackageName,
  description: z.string().default(''),
  authors: z.array(Person).max(taskItemsMax).default([]),
  keywords: Texts.default([]),
})

const agentFields = {
  /** Null: no limit. */
  timeout_sec: maybe(Seconds),
  /** Null: the image's own. */
  user: maybe(User),
  ...phaseNetwork,
}
const Agent = z.looseObject(agentFields).superRefine(checkNetwork)

/** Run after the agent and before artifacts are copied; schema 1.4. */
const Collect = z.looseObject({
  command: z.string().min(1),
  timeout_sec: Seconds.default(600),
  service: maybe(z.string().min(1)),
})

const verifierFields = {
  env: Variables.default({}),
  user: maybe(User),
  ...phaseNetwork,
  /** Null: separate with an environment of its own, else shared. */
  environment_mode: maybe(z.enum(['shared', 'separate'])),
  environment: maybe(HarborEnvironment),
  collect: z.array(Collect).max(taskItemsMax).default([]),
}

interface VerifierPlace {
  readonly environment_mode: 'shared' | 'separate' | null
  readonly environment: unknown
}

function checkPlace({ environment_mode, environment }: VerifierPlace, context: z.RefinementCtx): void {
  if (environment_mode !== 'shared' || environment === null) return
  const message = 'is "shared", and there is an environment of its own; write "separate", or leave the environment out'
  context.addIssue({ code: 'custom', path: ['environment_mode'], message })
}

const Verifier = z
  .looseObject({ timeout_sec: Seconds.default(verifierSecondsDefault), ...verifierFields })
  .superRefine(checkNetwork)
  .superRefine(checkPlace)

/** Like the task's verifier, which is its default. */
const StepVerifier = z
  .looseObject({ timeout_sec: maybe(Seconds), ...verifierFields })
  .superRefine(checkNetwork)
  .superRefine(checkPlace)

const TaskStep = z.looseObject({
  /** The name of its folder below `steps/`. */
  name: FolderName,
  agent: maybe(Agent),
  verifier: maybe(StepVerifier),
  /** With a lower reward, the following steps are left out. A number is for the key `reward`. */
  min_reward: maybe(z.union([z.number(), z.record(z.string(), z.number())])),
  healthcheck: maybe(Healthcheck),
  artifacts: Artifacts,
})

const Steps = z
  .array(TaskStep)
  .max(taskStepsMax)
  .superRefine((steps, context) => {
    const names = new Set<string>()
    for (const [index, { name }] of steps.entries()) {
      if (names.has(name))
        context.addIssue({ code: 'custom', path: [index, 'name'], message: `"${name}" stands twice` })
      names.add(name)
    }
  })

export const HarborTask = z.looseObject({
  schema_version: z
    .string()
    .regex(/^1\.\d{1,3}$/, 'only schema 1.x can be read; is this a task of another version of Harbor?')
    .default(schemaVersionWritten),
  /** The data set that it comes from. */
  source: maybe(z.string()),
  /** Null: `mean`, where there are steps. */
  multi_step_reward_strategy: maybe(z.enum(['mean', 'final'])),
  artifacts: Artifacts,
  task: maybe(About),
  steps: Steps.default([]),
  metadata: z.record(z.string(), z.unknown()).default({}),
  verifier: Verifier.prefault({}),
  agent: Agent.prefault({}),
  environment: HarborEnvironment.prefault({}),
  solution: z.looseObject({ env: Variables.default({}) }).prefault({}),
})
export type HarborTask = DeepReadonly<z.output<typeof HarborTask>>
/** A task as a file contains it. */
export type WrittenTask = DeepReadonly<z.input<typeof HarborTask>>
