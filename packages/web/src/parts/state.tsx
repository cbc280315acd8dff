import { type Row, stateWords, toneOf } from '../store/overview.ts'

/** How a terminal is: in a word, with a mark whose shape says the same as its colour. */
export function State({ row }: { readonly row: Row }) {
  const tone = toneOf(row)
  return (
    <span class={`state ${tone}`}>
      <span class="shape" aria-hidden="true" />
      {stateWords(row)}
    </span>
  )
}
