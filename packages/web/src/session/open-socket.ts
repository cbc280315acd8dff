/** One socket to the daemon: opened, signed in, and then a wire. */

import {
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
  /** Of the daemon's code. */
  readonly build: string
  readonly close: () => void
  /** Resolves when it is closed: `signedOut` when there is no use in trying again. */
  readonly closed: Promise<'lost' | 'signedOut'>
}

/** `tab`: the name of this page among those of the browser. Null when this browser is not signed in. Errors: rejects when there is nobody to speak to. */
export async function openSocket(
  told: (notice: PageNotice['notice']) => void,
  tab?: string,
): Promise<OpenSocket | null> {
  const socket = new WebSocket(new URL(wirePath, location.href.replace(/^http/, 'ws')))
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
    // Another tab may have signed this browser in anew: then there is a key again.
    return (await keyFor(hello.instance)) === null ? 'signedOut' : 'lost'
  })
  const client = new WireClient(messages.wire(told))
  return { client, device: answer.signedIn.device, build: hello.build, closed, close: () => socket.close() }
}
