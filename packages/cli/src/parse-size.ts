import { TermError } from '@agentpty/protocol'

/** Errors: `invalid_input` for anything but a size. */
export function parseSize(text: string | undefined): { readonly cols?: number; readonly rows?: number } {
  if (text === undefined) return {}
  const [, cols, rows] = /^(\d{1,4})x(\d{1,4})$/.exec(text) ?? []
  if (cols !== undefined && rows !== undefined) return { cols: Number(cols), rows: Number(rows) }
  throw new TermError('invalid_input', `"${text}" is no size.`, 'Columns and rows, for example: 120x40')
}
