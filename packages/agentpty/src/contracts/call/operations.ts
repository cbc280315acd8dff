/** The table of verbs. A new one is a file in contracts/verbs/, its handler in features/verbs/, and a line here. */

import type { z } from 'zod'
import { close } from '../verbs/close.ts'
import { create } from '../verbs/create.ts'
import { list } from '../verbs/list.ts'
import { read } from '../verbs/read.ts'
import { recording } from '../verbs/recording.ts'
import { rename } from '../verbs/rename.ts'
import { resize } from '../verbs/resize.ts'
import { run } from '../verbs/run.ts'
import { screenshot } from '../verbs/screenshot.ts'
import { send } from '../verbs/send.ts'
import { sendKeys } from '../verbs/send-keys.ts'
import { wait } from '../verbs/wait.ts'
import { write } from '../verbs/write.ts'
import type { Operation } from './operation.ts'

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
/** As a handler gets it: checked, and with the defaults of what the caller left out. */
export type ParsedInput<Name extends OperationName> = z.output<Operations[Name]['input']>
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
