/**
 * Publishes the visible part of the page to the styles. An on-screen keyboard reduces it: some browsers shrink the page, others cover and
 * scroll it.
 */
export function followVisibleArea(): void {
  const visible = window.visualViewport
  if (visible === null) return
  const publish = () => {
    // A person who zooms wants to see a part of the page.
    const isZoomed = visible.scale > 1.01
    const { style } = document.documentElement
    style.setProperty('--visible-height', isZoomed ? '100dvh' : `${visible.height}px`)
    style.setProperty('--visible-top', isZoomed ? '0px' : `${visible.offsetTop}px`)
  }
  publish()
  visible.addEventListener('resize', publish)
  visible.addEventListener('scroll', publish)
}
