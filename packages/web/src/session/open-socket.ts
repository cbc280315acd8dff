/** One socket to the daemon: opened, signed in and used for the wire protocol. */

import {
  belowDocument,
  closeCodes,
  type Device,
  type PageHello,
  type PageNotice,
  type PageSignIn,
  signedText,
  wirePath,
} from '@agentpty/protocol/page'
import { SocketMessages, WireClient } from '@agentpty/protocol/wire'
import { forgetKey, keyFor, sign } from './device-key.ts'

export interface OpenSocket {
  readonly client: WireClient
  readonly device: Device
  /** The build of the daemon's code. */
  readonly build: string
  readonly close: () => void
  /** Resolves when the socket is closed: `signedOut` if a retry cannot succeed. */
  readonly closed: Promise<'lost' | 'signedOut'>
}

export interface SocketOptions {
  /** The address of the document. A worker has another one of its own. */
  readonly page: string
  readonly noticed: (notice: PageNotice['notice']) => void
  /** The name of this tab within the browser. */
  readonly tab?: string
}

/** Returns null if this browser is not signed in. Rejects if the daemon is unreachable. */
export async function openSocket({ page, noticed, tab }: SocketOptions): Promise<OpenSocket | null> {
  const socket = new WebSocket(new URL(belowDocument(wirePath), page.replace(/^http/, 'ws')))
  const messages = new SocketMessages(socket)
  const hello = (await messages.next()) as PageHello
  const key = await keyFor(hello.instance)
  if (key === null) {
    socket.close()
    return null
  }
  const text = signedText({ nonce: hello.nonce, host: location.host, instance: hello.instance })
  const { deviceId } = key
  const signature = await sign(key, text)
  const signIn: PageSignIn = { signIn: { deviceId, signature, ...(tab === undefined ? {} : { tab }) } }
  socket.send(JSON.stringify(signIn))
  const answer = (await messages.next()) as { readonly signedIn?: { readonly device: Device } }
  if (answer.signedIn === undefined) {
    await forgetKey(key)
    return null
  }
  const closed = messages.closed.then(async (code) => {
    if (code !== closeCodes.signedOut) return 'lost'
    await forgetKey(key)
    // Another tab may have signed this browser in again; then there is a key.
    return (await keyFor(hello.instance)) === null ? 'signedOut' : 'lost'
  })
  const client = new WireClient(messages.wire(noticed))
  return { client, device: answer.signedIn.device, build: hello.build, closed, close: () => socket.close() }
}
