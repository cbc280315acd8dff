/** All targets, by name. */

import type { Target } from '../target.ts'
import { approvalText } from './approval-text.ts'
import { archive } from './archive.ts'
import { cursorLineTarget } from './cursor-line.ts'
import { frames } from './frames.ts'
import { jsonLines } from './json-lines.ts'
import { marks } from './marks.ts'
import { policy } from './policy.ts'
import { programStatus } from './program-status.ts'
import { rpc } from './rpc.ts'
import { screen } from './screen.ts'

const all: readonly Target[] = [
  marks,
  cursorLineTarget,
  programStatus,
  jsonLines,
  rpc,
  frames,
  screen,
  policy,
  approvalText,
  archive,
]
export const targets: ReadonlyMap<string, Target> = new Map(all.map((target) => [target.name, target]))

/** The targets in C, each with the name of its program. */
export const nativeTargets: ReadonlyMap<string, string> = new Map([
  ['ptyhost-requests', 'requests'],
  ['ptyhost-proc', 'proc'],
])
