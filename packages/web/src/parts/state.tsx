import { holderWords, type Row, rowWords, toneOf } from '@agentpty/protocol/overview'
import { ownHolder } from '../terminal/page-lease.ts'

/** The state of a terminal: a word and a mark. The mark's shape and colour have the same meaning. */
export function State({ row }: { readonly row: Row }) {
  const tone = toneOf(row)
  return (
    <span class={`state ${tone}`}>
      <span class="shape" aria-hidden="true" />
      {rowWords(row)}
    </span>
  )
}

/** The lease of the terminal; nothing while anyone may type. */
export function Holder({ row }: { readonly row: Row }) {
  const words = holderWords(row, ownHolder.value)
  if (words === '') return null
  return (
    <span class="holder" title={words}>
      {words}
    </span>
  )
}
