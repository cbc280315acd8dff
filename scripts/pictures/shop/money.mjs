/** Amounts in cents. */

export const vat = 0.19

/** The price with VAT, rounded to a cent. */
export function withVat(cents) {
  return Math.floor(cents * (1 + vat))
}

/** Divides an amount so that no cent is lost. */
export function split(cents, people) {
  const share = Math.floor(cents / people)
  const rest = cents - share * people
  const shares = new Array(people).fill(share)
  return shares.map((one, index) => one + (index < rest ? 1 : 0))
}

export function format(cents) {
  return `€ ${(cents / 100).toFixed(2)}`
}
