/**
 * How much of the page can be seen, told to the styles. A keyboard on the screen makes it less: some browsers make the page smaller then,
 * others lay the keyboard over it and move it up.
 */
export function followVisibleArea(): void {
  const visible = window.visualViewport
  if (visible === null) return
  const tell = () => {
    // Whoever zooms wants to see a part of it.
    const isZoomed = visible.scale > 1.01
    const { style } = document.documentElement
    style.setProperty('--visible-height', isZoomed ? '100dvh' : `${visible.height}px`)
    style.setProperty('--visible-top', isZoomed ? '0px' : `${visible.offsetTop}px`)
  }
  tell()
  visible.addEventListener('resize', tell)
  visible.addEventListener('scroll', tell)
}
