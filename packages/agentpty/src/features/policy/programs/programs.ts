/** All programs that have a rule of their own, by name. */

import type { Programs } from '../shell.ts'
import { builtins } from './builtins.ts'
import { filePrograms } from './files.ts'
import { gitPrograms } from './git.ts'
import { interpreters } from './interpreters.ts'
import { launchers } from './launchers.ts'
import { listPrograms } from './lists.ts'
import { machinePrograms } from './machine.ts'
import { networkPrograms } from './network.ts'
import { ownPrograms } from './own.ts'
import { setupPrograms } from './setup.ts'
import { shells } from './shells.ts'
import { textPrograms } from './text.ts'
import { wrappers } from './wrappers.ts'

/** A later row goes before an earlier one. */
export const programs: Programs = {
  ...wrappers,
  ...machinePrograms,
  ...networkPrograms,
  ...textPrograms,
  ...listPrograms,
  ...filePrograms,
  ...interpreters,
  ...shells,
  ...launchers,
  ...gitPrograms,
  ...setupPrograms,
  ...builtins,
  ...ownPrograms,
}
