/**
 * Returns a function whose calls are gathered: `act` runs once for all of them, when what runs now has ended (as a
 * microtask). For work that each of several pieces of news asks for, and that one run does for all.
 */
export function coalesced(act: () => void): () => void {
  let isDue = false
  const run = () => {
    isDue = false
    act()
  }
  return () => {
    if (isDue) return
    isDue = true
    queueMicrotask(run)
  }
}
