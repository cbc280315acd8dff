/** The text of a program before it is looked at: where it came from, and whether anything of it is known. */

import type { Shell } from './shell.ts'
import { type Arg, hasTaint, isKnown, taints, unknownMark } from './value.ts'

/** Reports what nobody knows of it; false where nothing is left to look at. */
export function reportCode(code: Arg, shell: Pick<Shell, 'report'>): boolean {
  if (!isKnown(code)) {
    const isSetup = code.text === unknownMark && code.taint === taints.setup
    if (hasTaint(code, taints.network)) shell.report('D2', 'remote-code')
    else if (hasTaint(code, taints.decoded)) shell.report('D2', 'encoded-payload')
    else if (!isSetup) shell.report('Q2', 'unresolved')
  } else if (hasTaint(code, taints.decoded)) shell.report('D2', 'encoded-payload')
  return code.text !== unknownMark
}
