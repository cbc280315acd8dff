/**
 * The name of this tab within the browser. A take-over by one tab does not belong to the others. It is created with the page and stored in
 * memory only, because browsers copy stored data when a tab is duplicated.
 */

const letters = 'abcdefghijkmnpqrstuvwxyz23456789'
const length = 5

export const ownTab = Array.from(
  crypto.getRandomValues(new Uint8Array(length)),
  (byte) => letters[byte % letters.length],
).join('')
