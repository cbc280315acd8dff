/** Clients outside the bench: they need a newer Node, or are programs without a screen. */

import { join } from 'node:path'
import { installed } from '../harness/installed.ts'

export const packages = installed('clients', join(import.meta.dirname, 'package.json'))
