import * as z from 'zod'
import { FolderName } from '../call/terminal-fields.ts'
import { hostCharactersMax, sandboxHostsMax, sandboxPlacesMax } from '../limits.ts'
import { memoryBytesMin, networkHostProblem } from './network-host.ts'

const places = (what: string) => z.array(FolderName).max(sandboxPlacesMax).describe(what)
const count = (what: string, min: number) => z.number().int().min(min).max(Number.MAX_SAFE_INTEGER).describe(what)

/** A host by its name (`example.com`, `*.example.com`) or address, with or without a port. */
const AllowedHost = z
  .string()
  .max(hostCharactersMax)
  .superRefine((item, context) => {
    const message = networkHostProblem(item)
    if (message !== null) context.addIssue({ code: 'custom', message })
  })

/** The walls around a terminal's program: what may be asked for, and what then holds. */
export const SandboxSettings = z
  .strictObject({
    network: z
      .union([z.enum(['off', 'on']), z.array(AllowedHost).min(1).max(sandboxHostsMax)])
      .describe('`off` (default), `on`, or the only hosts that programs reach, by HTTP(S) through a proxy.'),
    writable: places('Files and folders besides the workspace that may be written.'),
    readOnly: places('Files and folders of the workspace that may not be written, as `.git`.'),
    hidden: places('Files and folders that are not there, besides secrets.'),
    limits: z
      .strictObject({
        memoryBytes: count('All processes together. Default: half of the machine’s.', memoryBytesMin),
        processes: count('How many at once. Default 1024.', 4),
        cpuSeconds: count('Of one process. Default: no limit.', 1),
        fileBytes: count('Of one file. Default 16 GiB.', 0),
      })
      .partial()
      .describe('What its programs may use.'),
  })
  .partial()

export type SandboxSettings = Readonly<z.infer<typeof SandboxSettings>>

/** `true`: a sandbox with all its defaults. */
export const Sandbox = z.union([z.boolean(), SandboxSettings])
export type Sandbox = z.infer<typeof Sandbox>

/** The sandbox in force for one terminal, with absolute paths; noted with it, so that it outlives the engine. */
export const SandboxInForce = z.object({
  network: z.union([z.enum(['off', 'on']), z.array(z.string())]),
  /** Writable paths, the workspace first if it is one. */
  writable: z.array(z.string()),
  readOnly: z.array(z.string()),
  hidden: z.array(z.string()),
  limits: z.object({
    memoryBytes: z.number().nullable(),
    processes: z.number(),
    cpuSeconds: z.number().nullable(),
    fileBytes: z.number(),
  }),
  /** The folder of the proxy's socket; null when no proxy is needed. */
  proxyFolder: z.string().nullable(),
  /** Where long instructions are put, for its programs to read; null from engines that made none. */
  taskFolder: z.string().nullable().default(null),
})
export type SandboxInForce = Readonly<z.infer<typeof SandboxInForce>>

/** The sandbox facts that an agent in a terminal needs. */
export const SandboxShown = SandboxInForce.pick({ network: true, writable: true })
export type SandboxShown = z.infer<typeof SandboxShown>

/** Undefined without walls. */
export function shownSandbox(sandbox: SandboxInForce | null): SandboxShown | undefined {
  return sandbox === null ? undefined : { network: sandbox.network, writable: sandbox.writable }
}
