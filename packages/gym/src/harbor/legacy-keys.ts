/**
 * Keys that older task.toml have: `version`, `memory` and `storage` with a unit, `allow_internet`. They are read as what replaced them and
 * never written back. Where the new key stands beside the old one and says something else, that is a fault.
 */

import { isObject, type JsonObject } from '@agentpty/protocol/wire'

export interface KeyFault {
  readonly path: readonly (string | number)[]
  readonly message: string
}

export interface WithoutLegacyKeys {
  readonly value: JsonObject
  readonly faults: readonly KeyFault[]
}

type Path = KeyFault['path']

interface Rule {
  readonly old: string
  readonly now: string
  /** What the old value means; a text is what is wrong with it. */
  readonly read: (value: unknown) => { readonly value: unknown } | string
  readonly agrees?: (read: unknown, now: unknown) => boolean
}

const mebibytes: Readonly<Record<string, number>> = { K: 1 / 1_024, M: 1, G: 1_024 }

function readSize(value: unknown): { readonly value: number } | string {
  const [, amount, unit = ''] =
    /^(\d{1,9}(?:\.\d{1,3})?)\s*([KMG])B?$/i.exec(typeof value === 'string' ? value : '') ?? []
  const factor = mebibytes[unit.toUpperCase()]
  if (amount === undefined || factor === undefined) return 'must be a number with K, M or G behind it, as "2G"'
  return { value: Math.ceil(Number(amount) * factor) }
}

const environmentRules: readonly Rule[] = [
  { old: 'memory', now: 'memory_mb', read: readSize },
  { old: 'storage', now: 'storage_mb', read: readSize },
  {
    old: 'allow_internet',
    now: 'network_mode',
    read: (value) =>
      typeof value === 'boolean' ? { value: value ? 'public' : 'no-network' } : 'must be true or false',
    // A list of hosts is a way to have the internet.
    agrees: (read, now) => read === now || (read === 'public' && now === 'allowlist'),
  },
]

const rootRules: readonly Rule[] = [
  {
    old: 'version',
    now: 'schema_version',
    read: (value) => (typeof value === 'string' ? { value } : 'must be a text, as "1.0"'),
  },
]

/** `raw`: what the file says. Whatever is of another shape than it should be is left as it is. */
export function withoutLegacyKeys(raw: JsonObject): WithoutLegacyKeys {
  const faults: KeyFault[] = []
  const environment = (value: unknown, path: Path) => replaced(value, { rules: environmentRules, path, faults })
  const verifier = (value: unknown, path: Path) => within(value, 'environment', path, environment)
  const step = (value: unknown, path: Path) => within(value, 'verifier', path, verifier)
  const steps = (value: unknown, path: Path) =>
    Array.isArray(value) ? value.map((item: unknown, index) => step(item, [...path, index])) : value
  const root = replaced(raw, { rules: rootRules, path: [], faults })
  const places: readonly (readonly [string, Change])[] = [
    ['environment', environment],
    ['verifier', verifier],
    ['steps', steps],
  ]
  const value = places.reduce<unknown>((all, [key, change]) => within(all, key, [], change), root)
  return { value: isObject(value) ? value : raw, faults }
}

type Change = (value: unknown, path: Path) => unknown

/** The object with what is at `key` changed; keys stay in their order. */
function within(value: unknown, key: string, path: Path, change: Change): unknown {
  if (!isObject(value) || !Object.hasOwn(value, key)) return value
  return { ...value, [key]: change(value[key], [...path, key]) }
}

interface Replacing {
  readonly rules: readonly Rule[]
  readonly path: Path
  readonly faults: KeyFault[]
}

function replaced(value: unknown, { rules, path, faults }: Replacing): unknown {
  if (!isObject(value)) return value
  const entries = Object.entries(value).flatMap(([key, old]): [string, unknown][] => {
    const rule = rules.find((one) => one.old === key)
    if (rule === undefined) return [[key, old]]
    const read = rule.read(old)
    if (typeof read === 'string') {
      faults.push({ path: [...path, key], message: read })
      return []
    }
    if (!Object.hasOwn(value, rule.now)) return [[rule.now, read.value]]
    const { agrees = Object.is } = rule
    if (!agrees(read.value, value[rule.now]))
      faults.push({
        path: [...path, key],
        message: `says something else than ${rule.now} beside it; leave one of them out`,
      })
    return []
  })
  return Object.fromEntries(entries)
}
