/** The emulator writes its styles into elements of its own, which the page's policy lets in by a nonce, if it has one. To be called before it is used. */
export function markStyles(): void {
  const nonce = document.querySelector<HTMLMetaElement>('meta[name=style-nonce]')?.content
  if (nonce === undefined) return
  const create = document.createElement.bind(document)
  const marked = (name: string, options?: ElementCreationOptions) => {
    const element = create(name, options)
    if (element instanceof HTMLStyleElement) element.nonce = nonce
    return element
  }
  document.createElement = marked as typeof document.createElement
}
