/** What is at a path now, for those who judge and those who put up walls by it. */

import { lstatSync, realpathSync, type Stats } from 'node:fs'

/** Of the place itself, not of what a link leads to; null where there is nothing, or nothing for us to see. */
export function statOf(path: string): Stats | null {
  try {
    return lstatSync(path)
  } catch {
    // Not there, or not to be seen: a program of this user meets the same.
    return null
  }
}

/** With all links followed; null where there is nothing, or nothing for us to see. */
export function realOf(path: string): string | null {
  try {
    return realpathSync(path)
  } catch {
    // Not there, or not to be seen: a program of this user meets the same.
    return null
  }
}
