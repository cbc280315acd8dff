/** The verbs of terminals, and of the questions of their programs. */

import { constants } from 'node:os'
import { defined } from '@agentpty/protocol'
import type { Handlers } from '../call/index.ts'
import { assertNotOwnTree } from './lease-guard.ts'
import { typistOf } from './steps/interact.ts'
import { noteOf } from './steps/type-text.ts'
import { create } from './verbs/create.ts'
import { read, wait } from './verbs/output.ts'
import { askToTake, pause, secret, take } from './verbs/person.ts'
import { answer, questions, reply } from './verbs/questions.ts'
import { run } from './verbs/run.ts'
import { screenshot } from './verbs/screenshot.ts'
import { send, sendKeys } from './verbs/send.ts'
import { close, list } from './verbs/terminals.ts'

export const terminalHandlers = {
  answer,
  askToTake,
  close,
  create,
  list,
  pause,
  questions,
  read,
  release: async (engine, { terminalId, mayType, holder }) => {
    const session = engine.host.find(terminalId)
    const { lease } = session.keyboard
    if (holder !== undefined && lease.holder !== holder) return { lease }
    return { lease: engine.host.leases.release(session, mayType) }
  },
  rename: async ({ host }, { terminalId, name }) => {
    const session = host.find(terminalId)
    host.rename(session, name)
    return { terminalId: session.info.id, name }
  },
  reply,
  resize: async (engine, input) => {
    const session = engine.host.find(input.terminalId)
    const { cols, rows } = input
    await session.resize({ cols, rows })
    return { terminalId: session.info.id, cols, rows }
  },
  run,
  screenshot,
  secret,
  send,
  sendKeys,
  signal: async (engine, { terminalId, signal: name }, context) => {
    const session = engine.host.find(terminalId)
    assertNotOwnTree(engine, [session], context, { what: 'The signal', force: true })
    await engine.host.signal(session, constants.signals[name])
    return { signalled: true }
  },
  take,
  wait,
  write: async ({ host }, { terminalId, data, numbered }, context) => {
    const session = host.find(terminalId)
    const typist = typistOf(session, context)
    const note = noteOf(await session.keyboard.write(Buffer.from(data, 'base64'), typist, numbered))
    return defined({ written: true, note })
  },
} satisfies Partial<Handlers>
