/** The target of a link: its kind, and an address that cannot disguise where it leads. */

export type LinkTarget =
  /** `href`: printable ASCII; the host of an international name is `xn--…`. `host` is a part of it. */
  | { readonly kind: 'web'; readonly href: string; readonly host: string }
  /** A file with a line, as compilers print it. */
  | { readonly kind: 'path'; readonly path: string }
  /** An address that the page does not open. */
  | { readonly kind: 'other'; readonly address: string }

export interface ShownLink {
  /** The text of the link in the terminal. */
  readonly text: string
  readonly target: LinkTarget
}

/** Characters without a shape of their own: controls, direction marks and blanks. */
const shapeless = /[\p{C}\p{Z}]/gu

export function targetOf(address: string): LinkTarget {
  const url = URL.canParse(address) ? new URL(address) : null
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  if (url === null || !isWeb) return { kind: 'other', address: address.replaceAll(shapeless, '\ufffd') }
  return { kind: 'web', href: url.href, host: url.host }
}

/** Returns the host that the text of a link names if the link leads to another one; null otherwise. */
export function otherHostIn(text: string, target: LinkTarget): string | null {
  const [named] = /^\s*https?:\/\/\S+/i.exec(text) ?? []
  const shown = named === undefined ? null : targetOf(named.trim())
  if (shown?.kind !== 'web') return null
  return target.kind === 'web' && target.host === shown.host ? null : shown.host
}

/** Splits the address so that its host can be emphasized. A user name before the host is in the first part. */
export function partsOf({
  href,
  host,
}: Extract<LinkTarget, { readonly kind: 'web' }>): readonly [string, string, string] {
  const { protocol, username, password } = new URL(href)
  const user = username === '' && password === '' ? '' : `${username}${password === '' ? '' : `:${password}`}@`
  const before = `${protocol}//${user}`
  return [before, host, href.slice(before.length + host.length)]
}

/** The absolute form of a path that a program has printed. */
export function absolutePath(path: string, folder: string): string {
  if (/^[/~]/.test(path) || folder === '') return path
  return `${folder.replace(/\/$/, '')}/${path.replace(/^\.\//, '')}`
}
