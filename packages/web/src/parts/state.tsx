import { type Row, rowWords, toneOf } from '../../../agentpty/src/faces/overview/overview.ts'

/** How a terminal is: in a word, with a mark whose shape says the same as its colour. */
export function State({ row }: { readonly row: Row }) {
  const tone = toneOf(row)
  return (
    <span class={`state ${tone}`}>
      <span class="shape" aria-hidden="true" />
      {rowWords(row)}
    </span>
  )
}

/** Who has taken it over, or that only agents type there; nothing while everybody may type. */
export function Holder({ row: { mayType, takenBy } }: { readonly row: Row }) {
  if (mayType === 'both') return null
  const words = mayType === 'agent' ? 'agents only' : `taken by ${takenBy ?? 'somebody'}`
  return (
    <span class="holder" title={words}>
      {words}
    </span>
  )
}
