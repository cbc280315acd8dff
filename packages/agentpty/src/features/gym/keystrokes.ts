/** Keystrokes as Terminus writes them: the name of one of tmux's keys alone is that key, anything else is typed as it stands. */

export type Keystrokes =
  | { readonly kind: 'none' }
  | { readonly kind: 'keys'; readonly keys: readonly string[] }
  /** One line, with or without Enter at its end. */
  | { readonly kind: 'line'; readonly text: string; readonly enter: boolean }
  /** Typed ahead, line by line: each newline is an Enter. */
  | { readonly kind: 'lines'; readonly text: string }

const keyName =
  /^(?:(?:[CMS]-)+(?:[!-~]|Up|Down|Left|Right|Space|Enter|Tab|BSpace)|Enter|Escape|Space|Tab|BTab|BSpace|Up|Down|Left|Right|Home|End|PageUp|PageDown|PgUp|PgDn|PPage|NPage|DC|IC|F(?:[1-9]|1[0-2]))$/

/** `C-m` and the like press Enter. */
export function keystrokesOf(text: string): Keystrokes {
  if (text === '') return { kind: 'none' }
  if (keyName.test(text)) return { kind: 'keys', keys: [text] }
  const enter = text.endsWith('\n')
  const body = enter ? text.slice(0, -1) : text
  return body.includes('\n')
    ? { kind: 'lines', text: text.replaceAll('\n', '\r') }
    : { kind: 'line', text: body, enter }
}
