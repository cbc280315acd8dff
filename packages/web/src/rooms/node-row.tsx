import { entryTone, entryWords, type ShownRow } from '@agentpty/protocol/overview'
import { belowWords, Fold } from './agent-row.tsx'

export interface NodeRowProps {
  readonly entry: Extract<ShownRow, { readonly row: null }>
  readonly isFoldable: boolean
}

/** A group of the tree, or an agent without a terminal. */
export function NodeRow({ entry, isFoldable }: NodeRowProps) {
  const { id, node, depth, below, isContext } = entry
  const tone = entryTone(entry)
  return (
    <li
      class={isContext ? 'row node context' : 'row node'}
      data-terminal={id}
      style={{ '--depth': Math.min(depth, 8) }}
    >
      {isFoldable && below.count > 0 ? <Fold id={id} name={node.label} /> : <span class="fold" />}
      <span class="name">{node.label}</span>
      {node.role !== node.kind && node.role !== '' && <span class="tag">{node.role}</span>}
      {tone !== null && (
        <span class={`state ${tone}`}>
          <span class="shape" aria-hidden="true" />
          {entryWords(entry)}
        </span>
      )}
      <span class="doing">{node.summary}</span>
      <span class="below">{belowWords(below)}</span>
    </li>
  )
}
