/** dataset.toml of Harbor: tasks and files with what they hash to. Other tables are kept. */

import { type DeepReadonly, PackageName, Person, Texts } from '@agentpty/protocol/gym'
import * as z from 'zod'

const Digest = z.string().regex(/^sha256:[\da-f]{64}$/, '"sha256:" and 64 hexadecimal digits')

export const DatasetManifest = z.looseObject({
  schema_version: z.string().default('1.0'),
  dataset: z.looseObject({
    name: PackageName,
    description: z.string().default(''),
    authors: z.array(Person).default([]),
    keywords: Texts.default([]),
  }),
  tasks: z.array(z.looseObject({ name: PackageName, digest: Digest })).default([]),
  files: z.array(z.looseObject({ path: z.string().min(1), digest: Digest })).default([]),
})
export type DatasetManifest = DeepReadonly<z.output<typeof DatasetManifest>>
export type WrittenDataset = DeepReadonly<z.input<typeof DatasetManifest>>
