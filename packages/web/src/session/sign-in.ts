/** Signs this browser in with a code. The code works once; a key replaces it. */

import { belowDocument, type Device, signInPath } from '@agentpty/protocol/page'
import { keyFor, makeKey, saveKey } from './device-key.ts'

/** Removes the code from the address, so that neither the history nor a bystander has it. Returns null without one. */
export function takeCode(): string | null {
  const [, code = null] = /^#c=([\w-]+)$/.exec(location.hash) ?? []
  if (code !== null) history.replaceState(null, '', location.pathname)
  return code
}

/** Loads the page again with the code of an address that a person has pasted. False for a text without one. */
export function useAddress(pasted: string): boolean {
  const [, code = null] = /(?:^|#c=)([\w-]{22})$/.exec(pasted.trim()) ?? []
  if (code === null) return false
  history.replaceState(null, '', `#c=${code}`)
  location.reload()
  return true
}

export interface SignInOutcome {
  /** The reason for a refusal; null on success. */
  readonly refusal: string | null
  /** The previous device of this browser, whose key is replaced; null if there was none. */
  readonly replaced: string | null
}

/** Never rejects. */
export async function signIn(code: string): Promise<SignInOutcome> {
  try {
    return await useCode(code)
  } catch (error) {
    // For example, the browser stores no keys or the daemon has stopped.
    return { refusal: `This browser could not be signed in: ${String(error)}`, replaced: null }
  }
}

async function useCode(code: string): Promise<SignInOutcome> {
  const { privateKey, publicKey } = await makeKey()
  const response = await fetch(belowDocument(signInPath), {
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
  await saveKey({ instance, deviceId: device.deviceId, privateKey })
  return { refusal: null, replaced: before?.deviceId ?? null }
}

interface SignedIn {
  readonly device: Device
  readonly instance: string
}

interface Refused {
  readonly error: { readonly message: string; readonly hint: string }
}
