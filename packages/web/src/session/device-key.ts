/**
 * The key of this browser. The browser creates and stores it for this address and port only, and no script can read it. Signing in uses a
 * signature.
 */

export interface DeviceKey {
  /** The server that accepts the key. */
  readonly instance: string
  readonly deviceId: string
  readonly privateKey: CryptoKey
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256' } as const
const databaseName = 'agentpty'
const storeName = 'keys'

export interface NewKey {
  readonly privateKey: CryptoKey
  /** The uncompressed point, in base64url. */
  readonly publicKey: string
}

export async function makeKey(): Promise<NewKey> {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(algorithm, false, ['sign', 'verify'])
  return { privateKey, publicKey: base64url(await crypto.subtle.exportKey('raw', publicKey)) }
}

export async function sign({ privateKey }: DeviceKey, text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text)
  return base64url(await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, bytes))
}

export async function saveKey(key: DeviceKey): Promise<void> {
  await inStore('readwrite', (store) => store.put(key))
}

/** Returns null if this browser has no key for that server. */
export async function keyFor(instance: string): Promise<DeviceKey | null> {
  const found = (await inStore('readonly', (store) => store.get(instance))) as DeviceKey | undefined
  return found ?? null
}

/** Deletes the key, unless another tab has signed this browser in again meanwhile. */
export async function forgetKey({ instance, deviceId }: Pick<DeviceKey, 'instance' | 'deviceId'>): Promise<void> {
  if ((await keyFor(instance))?.deviceId === deviceId) await inStore('readwrite', (store) => store.delete(instance))
}

async function inStore<Result>(
  mode: IDBTransactionMode,
  use: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const opening = indexedDB.open(databaseName, 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore(storeName, { keyPath: 'instance' })
  const database = await settled(opening)
  try {
    return await settled(use(database.transaction(storeName, mode).objectStore(storeName)))
  } finally {
    database.close()
  }
}

function settled<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

export function base64url(bytes: ArrayBuffer): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
