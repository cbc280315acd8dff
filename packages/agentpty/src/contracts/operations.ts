/** The table of verbs. A new one is a file in operations/, its handler in features/operations/, and a line here. */

import type { z } from 'zod'
import type { Operation } from './operation.ts'
import { close } from './operations/close.ts'
import { create } from './operations/create.ts'
import { list } from './operations/list.ts'
import { read } from './operations/read.ts'
import { recording } from './operations/recording.ts'
import { rename } from './operations/rename.ts'
import { resize } from './operations/resize.ts'
import { run } from './operations/run.ts'
import { screenshot } from './operations/screenshot.ts'
import { send } from './operations/send.ts'
import { sendKeys } from './operations/send-keys.ts'
import { wait } from './operations/wait.ts'
import { write } from './operations/write.ts'

export const operations = {
  create,
  send,
  run,
  sendKeys,
  read,
  wait,
  screenshot,
  resize,
  list,
  close,
  rename,
  write,
  recording,
}

export type Operations = typeof operations
export type OperationName = keyof Operations
/** As a caller writes it. */
export type OperationInput<Name extends OperationName> = z.input<Operations[Name]['input']>
export type OperationOutput<Name extends OperationName> = z.output<Operations[Name]['output']>

export interface ToolOperation extends Operation {
  readonly tool: string
}

/** The verbs that agents have, by name. */
export const toolOperations: Readonly<Record<string, ToolOperation>> = Object.fromEntries(
  Object.entries<Operation>(operations).flatMap(([name, { tool, ...rest }]) =>
    tool === null ? [] : [[name, { ...rest, tool }]],
  ),
)

export function isOperationName(name: string): name is OperationName {
  return Object.hasOwn(operations, name)
}
