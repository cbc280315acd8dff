/**
 * The key of this browser: made here, kept by the browser for this address and port alone, and never told to any script. What signs in
 * is a signature.
 */

export interface KnownKey {
  /** Of the server for which it counts. */
  readonly instance: string
  readonly deviceId: string
  readonly privateKey: CryptoKey
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256' } as const
const [databaseName, storeName] = ['agentpty', 'keys']

export interface NewKey {
  readonly privateKey: CryptoKey
  /** The point, uncompressed, in base64url. */
  readonly publicKey: string
}

export async function makeKey(): Promise<NewKey> {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(algorithm, false, ['sign', 'verify'])
  return { privateKey, publicKey: base64url(await crypto.subtle.exportKey('raw', publicKey)) }
}

export async function sign({ privateKey }: KnownKey, text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text)
  return base64url(await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, bytes))
}

export async function keepKey(key: KnownKey): Promise<void> {
  await inStore('readwrite', (store) => store.put(key))
}

/** Null when this browser has none for that server. */
export async function keyFor(instance: string): Promise<KnownKey | null> {
  const found = (await inStore('readonly', (store) => store.get(instance))) as KnownKey | undefined
  return found ?? null
}

/** Unless another tab has signed this browser in anew meanwhile. */
export async function forgetKey({ instance, deviceId }: Pick<KnownKey, 'instance' | 'deviceId'>): Promise<void> {
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

function base64url(bytes: ArrayBuffer): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
