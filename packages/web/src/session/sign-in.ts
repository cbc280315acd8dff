/** Signing this browser in by a code: it is used up by that, and a key takes its place. */

import type { Device } from '../../../agentpty/src/contracts/page/device.ts'
import { signInPath } from '../../../agentpty/src/contracts/page/page-messages.ts'
import { keepKey, makeKey } from './device-key.ts'

/** Takes the code out of the address, so that neither history nor anybody behind this person's back has it; null without one. */
export function takeCode(): string | null {
  const [, code = null] = /^#c=([\w-]+)$/.exec(location.hash) ?? []
  if (code !== null) history.replaceState(null, '', location.pathname)
  return code
}

/** Null when it is done; else why not, in words. */
export async function signIn(code: string): Promise<string | null> {
  const { privateKey, publicKey } = await makeKey()
  const response = await fetch(signInPath, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code, publicKey }),
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
  })
  const answer = (await response.json()) as SignedIn | Refused
  if ('error' in answer) return `${answer.error.message} ${answer.error.hint}`
  await keepKey({ instance: answer.instance, deviceId: answer.device.deviceId, privateKey })
  return null
}

interface SignedIn {
  readonly device: Device
  readonly instance: string
}

interface Refused {
  readonly error: { readonly message: string; readonly hint: string }
}
