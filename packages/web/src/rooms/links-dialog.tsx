import type { ShownLink } from '../links/link-target.ts'
import { copyPath } from '../links/open-link.ts'
import { Dialog } from '../parts/dialog.tsx'
import { copyText } from './copy-output.ts'
import { LinkAddress } from './link-bar.tsx'

export interface LinksDialogProps {
  readonly terminalId: string
  readonly links: readonly ShownLink[]
  readonly onDone: () => void
}

/** The links of the visible screen, for the keyboard and for touch. */
export function LinksDialog({ terminalId, links, onDone }: LinksDialogProps) {
  return (
    <Dialog title="Links on the screen" onClose={onDone} isWide>
      {links.length === 0 && <p class="quiet">There are no links on the visible screen.</p>}
      <ul class="links">
        {links.map((link, at) => (
          <li key={at}>
            <span>
              <LinkAddress link={link} terminalId={terminalId} />
            </span>
            <LinkAction link={link} terminalId={terminalId} />
          </li>
        ))}
      </ul>
      <div class="choices">
        <button type="button" onClick={onDone}>
          Close
        </button>
      </div>
    </Dialog>
  )
}

function LinkAction({ link: { target }, terminalId }: { readonly link: ShownLink; readonly terminalId: string }) {
  if (target.kind === 'web')
    return (
      <a
        class="button"
        href={target.href}
        target="_blank"
        rel="noopener noreferrer"
        aria-label={`Open ${target.href} in a new tab`}
      >
        Open
      </a>
    )
  if (target.kind === 'path')
    return (
      <button type="button" aria-label={`Copy ${target.path}`} onClick={() => void copyPath(terminalId, target.path)}>
        Copy
      </button>
    )
  return (
    <button type="button" aria-label={`Copy ${target.address}`} onClick={() => void copyText(target.address)}>
      Copy
    </button>
  )
}
