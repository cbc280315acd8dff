/** The host's longer answers as the engine's values. */

import { constants } from 'node:os'
import { activities, type Exit, type Facts, type KeptSession, type WriteResult } from '@agentpty/protocol'
import type { Values } from './payload.ts'
import { type answers, factsFlag, factsInnerFlag, waitKinds, writeResults } from './protocol.ts'

type Answer<Name extends keyof typeof answers> = Values<(typeof answers)[Name]['fields']>

const signalNames: ReadonlyMap<number, string> = new Map(
  Object.entries(constants.signals).map(([name, number]) => [number, name]),
)

export function signalName(number: number): string {
  return signalNames.get(number) ?? `signal ${number}`
}

export function readExit({ code, signal }: Answer<'exit'>): Exit {
  return signal === 0 ? { code, signal: null } : { code: null, signal: signalName(signal) }
}

export function readWriteResult({ result, signal, droppedBytes }: Answer<'written'>): WriteResult {
  const became = writeResults[result]
  if (became === 'interrupted') return { result: 'interrupted', signal: signalName(signal), droppedBytes }
  if (became === 'dropped') return { result: 'dropped', droppedBytes }
  return { result: 'written' }
}

export function readKeptSession(id: number, answer: Answer<'session'>): KeptSession {
  const { pid, start, end, exited, exitedAt, cols, rows, resizes, moments, meta } = answer
  return { id, pid, start, end, exited, exitedAt: exitedAt || null, cols, rows, resizes, moments, meta }
}

export const nanosecondsPerMs = 1e6

export function readFacts(answer: Answer<'facts'>): Facts {
  const { flags, innerFlags } = answer
  return {
    offset: answer.offset,
    at: answer.at / nanosecondsPerMs,
    inputWritten: answer.inputWritten,
    slices: answer.slices,
    foreground: answer.foreground,
    leader: answer.leader,
    waiter: answer.waiter,
    waiterThread: answer.waiterThread,
    timeoutMs: answer.timeoutMs < 0 ? null : answer.timeoutMs,
    readBytes: answer.readBytes,
    unread: answer.unread,
    canonical: (flags & factsFlag.canonical) !== 0,
    echo: (flags & factsFlag.echo) !== 0,
    signals: (flags & factsFlag.signals) !== 0,
    readable: (flags & factsFlag.readable) !== 0,
    consumed: (flags & factsFlag.consumed) !== 0,
    inputPending: (flags & factsFlag.inputPending) !== 0,
    outputSinceWrite: (flags & factsFlag.outputSinceWrite) !== 0,
    wait: waitKinds[answer.wait] ?? 'none',
    state: String.fromCharCode(answer.state),
    otherFds: answer.otherFds,
    sockets: answer.sockets,
    children: answer.children,
    shownNothing: answer.shownNothing,
    activity: activities[answer.activity] ?? 'other',
    inner: (innerFlags & factsInnerFlag.inner) !== 0,
    ownDescriptor: (innerFlags & factsInnerFlag.ownDescriptor) !== 0,
    otherThreadsWork: (innerFlags & factsInnerFlag.otherThreadsWork) !== 0,
    relay: (innerFlags & factsInnerFlag.relay) !== 0,
    relayHere: (innerFlags & factsInnerFlag.relayHere) !== 0,
    pipesOn: (innerFlags & factsInnerFlag.pipesOn) !== 0,
    pipeRests: (innerFlags & factsInnerFlag.pipeRests) !== 0,
    passing: (innerFlags & factsInnerFlag.passing) !== 0,
    threads: answer.threads,
    cpuMs: answer.cpuNs / nanosecondsPerMs,
    // An older host does not report it.
    mainTimeoutMs: answer.mainTimeoutMs > 0 ? answer.mainTimeoutMs : null,
    callSite: answer.callSite,
    name: answer.name,
  }
}
