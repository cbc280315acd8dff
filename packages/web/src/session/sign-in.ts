/** Signing this browser in by a code: it is used up by that, and a key takes its place. */

import { type Device, signInPath } from '@agentpty/protocol/page'
import { keepKey, keyFor, makeKey } from './device-key.ts'

/** Takes the code out of the address, so that neither history nor anybody behind this person's back has it; null without one. */
export function takeCode(): string | null {
  const [, code = null] = /^#c=([\w-]+)$/.exec(location.hash) ?? []
  if (code !== null) history.replaceState(null, '', location.pathname)
  return code
}

export interface SignInOutcome {
  /** Why it was refused, in words; null when it is done. */
  readonly refusal: string | null
  /** The device that this browser was before, whose key is gone now; null when it was none. */
  readonly replaced: string | null
}

/** Never rejects. */
export async function signIn(code: string): Promise<SignInOutcome> {
  try {
    return await useCode(code)
  } catch (error) {
    // The browser keeps no keys, say, or the daemon is gone again.
    return { refusal: `This browser could not be signed in: ${String(error)}`, replaced: null }
  }
}

async function useCode(code: string): Promise<SignInOutcome> {
  const { privateKey, publicKey } = await makeKey()
  const response = await fetch(signInPath, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code, publicKey }),
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
  })
  const answer = (await response.json()) as SignedIn | Refused
  if ('error' in answer) return { refusal: `${answer.error.message} ${answer.error.hint}`, replaced: null }
  const { instance, device } = answer
  const before = await keyFor(instance)
  await keepKey({ instance, deviceId: device.deviceId, privateKey })
  return { refusal: null, replaced: before?.deviceId ?? null }
}

interface SignedIn {
  readonly device: Device
  readonly instance: string
}

interface Refused {
  readonly error: { readonly message: string; readonly hint: string }
}
