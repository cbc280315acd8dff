/** The words for a terminal whose MCP client has ended: every face shows the same. */

/** @example endedClientWords(0, 7_200_000) // 'client ended 2 h ago' */
export function endedClientWords(endedAt: number, now: number): string {
  const minutes = Math.floor(Math.max(0, now - endedAt) / 60_000)
  if (minutes < 1) return 'client ended less than 1 min ago'
  if (minutes < 60) return `client ended ${minutes} min ago`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `client ended ${hours} h ago` : `client ended ${Math.floor(hours / 24)} days ago`
}
