import { hoveredLink } from '../links/link-state.ts'
import type { ShownLink } from '../links/link-target.ts'
import { type LinkTarget, otherHostIn, partsOf } from '../links/link-target.ts'
import { openingKey, pathIn } from '../links/open-link.ts'

/** Shows where a link leads before it is opened. It is outside of the emulator, so no program can draw over it. */
export function LinkBar({ terminalId }: { readonly terminalId: string }) {
  const hovered = hoveredLink.value
  if (hovered === null) return null
  const { link, isLow } = hovered
  return (
    <p class={isLow ? 'link-bar above' : 'link-bar'} role="tooltip">
      <LinkAddress link={link} terminalId={terminalId} /> <span class="quiet">{hintOf(link.target)}</span>
    </p>
  )
}

/** The complete address with its host emphasized, and a warning if the text of the link names another host. */
export function LinkAddress({
  link: { text, target },
  terminalId,
}: {
  readonly link: ShownLink
  readonly terminalId: string
}) {
  const other = otherHostIn(text, target)
  return (
    <>
      <Address target={target} terminalId={terminalId} />
      {other !== null && <em> The text names another host: {other}.</em>}
    </>
  )
}

function Address({ target, terminalId }: { readonly target: LinkTarget; readonly terminalId: string }) {
  if (target.kind === 'path') return <code>{pathIn(terminalId, target.path)}</code>
  if (target.kind === 'other') return <code>{target.address}</code>
  const [before, host, after] = partsOf(target)
  return (
    <code>
      {before}
      <strong>{host}</strong>
      {after}
    </code>
  )
}

function hintOf({ kind }: LinkTarget): string {
  if (kind === 'web') return `${openingKey}+click opens it in a new tab`
  return kind === 'path' ? `${openingKey}+click copies the path` : 'The page does not open such addresses.'
}
