import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

export interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly isWide?: boolean
  readonly children: ComponentChildren
}

/** A modal dialog. The browser keeps the focus inside, closes it on Escape and restores the focus. */
export function Dialog({ title, onClose, isWide = false, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  useEffect(() => element.current?.showModal(), [])
  return (
    <dialog ref={element} class={isWide ? 'wide-dialog' : ''} aria-label={title} onClose={onClose}>
      <h2>{title}</h2>
      {children}
    </dialog>
  )
}
