/** `[environment]` and `[verifier.environment]` of task.toml: what the task runs in. */

import {
  checkNetwork,
  Healthcheck,
  Hosts,
  maybe,
  NetworkMode,
  Seconds,
  Texts,
  taskItemsMax,
  Variables,
} from '@agentpty/protocol/gym'
import * as z from 'zod'

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

export const HarborEnvironment = z
  .looseObject({
    /** Also the limit of the start. */
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
