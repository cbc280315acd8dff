/**
 * The name of this page among those of the browser, so that what one of them has taken over is not the others'. It is made anew with the
 * page and kept in memory alone: what the browser keeps for a tab is copied with the tab.
 */

const letters = 'abcdefghijkmnpqrstuvwxyz23456789'
const length = 5

export const ownTab = Array.from(
  crypto.getRandomValues(new Uint8Array(length)),
  (byte) => letters[byte % letters.length],
).join('')
