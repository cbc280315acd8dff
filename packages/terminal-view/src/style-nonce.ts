/** Adds the page's nonce, if any, to the style elements of the emulator, as the page's policy requires. To be called before the emulator. */
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
