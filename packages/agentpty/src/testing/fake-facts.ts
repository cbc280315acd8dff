/** Kernel facts for a test to start from. */

import type { Facts } from '../contracts/ports.ts'

/** A program that waits in a read for a line of the terminal and has taken all its input. */
export const waitingForLine: Facts = {
  offset: 0,
  at: 0,
  inputWritten: 0,
  canonical: true,
  echo: true,
  signals: true,
  readable: true,
  consumed: true,
  inputPending: false,
  outputSinceWrite: true,
  wait: 'read',
  activity: 'none',
  inner: false,
  ownDescriptor: false,
  otherThreadsWork: false,
  relay: false,
  relayHere: false,
  state: 'S',
  otherFds: 0,
  sockets: 0,
  threads: 1,
  cpuMs: 3,
  foreground: 200,
  leader: 100,
  waiter: 200,
  waiterThread: 200,
  timeoutMs: null,
  readBytes: 4_096,
  unread: 0,
  slices: 7,
  callSite: 0,
  name: 'cat',
}
