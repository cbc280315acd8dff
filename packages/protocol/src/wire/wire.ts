import type { Socket } from 'node:net'

/** Carries messages between a client and a daemon: a socket, a pipe, or anything else that keeps them whole and in order. */
export interface WireHandlers {
  readonly message: (text: string) => void
  /** The wire has closed; called once. */
  readonly closed: () => void
}

export interface Wire {
  /** Called once; nothing is lost before. */
  open(handlers: WireHandlers): void
  /** Messages that are sent after the wire has closed are dropped. */
  send(message: string): void
  close(): void
}

/** The transport of one connection's messages: a socket with lines, or a WebSocket. */
export interface Carrier {
  /** Bytes that were sent and wait for the other end to read. */
  readonly unsentBytes: number
  readonly isClosed: boolean
  send(message: string): void
  /** No more messages come, beyond those that have arrived already. */
  pause(): void
  resume(): void
  close(): void
}

const isNode = typeof Buffer !== 'undefined'

/** Bytes of base64, in Node and in browsers. */
export function bytesOf(text: string): Uint8Array {
  return isNode ? Buffer.from(text, 'base64') : Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
}

export function base64Of(bytes: Uint8Array): string {
  if (isNode) return Buffer.from(bytes).toString('base64')
  let text = ''
  // In pieces, because a call takes a limited number of arguments.
  for (let at = 0; at < bytes.length; at += pieceBytes)
    text += String.fromCharCode(...bytes.subarray(at, at + pieceBytes))
  return btoa(text)
}

const pieceBytes = 8 * 1024

/** State that all connections of a daemon share, those over its socket and those over HTTP: one process serves them all. */
export interface SharedBounds {
  /** Bytes of all connections that wait for slow readers. */
  readonly unsent: {
    add(socket: Socket): void
    /** Called when one holds much. */
    bound(): void
  }
  /** Counts the calls that run concurrently. */
  readonly gate: {
    readonly isFull: boolean
    /** A call begins; returns a function to call when it is over. */
    enter(): () => void
    /** Calls when another one may begin. */
    wait(call: () => void): void
  }
}
