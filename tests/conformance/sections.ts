/** The whole table, in the order of docs/screen.md. */

import type { Section } from './case.ts'
import { charactersSection } from './cases/characters-table.ts'
import { cursorSection } from './cases/cursor-table.ts'
import { editingSection } from './cases/editing-table.ts'
import { linesSection } from './cases/lines-table.ts'
import { repliesSection } from './cases/replies-table.ts'
import { scrollingSection } from './cases/scrolling-table.ts'
import { stateSection } from './cases/state-table.ts'
import { stringsSection } from './cases/strings-table.ts'
import { styleSection } from './cases/style-table.ts'

/** The table's statements about tmux apply to this version. */
export const tableTmux = 'tmux 3.3a'

export const sections: readonly Section[] = [
  cursorSection,
  scrollingSection,
  editingSection,
  linesSection,
  stateSection,
  charactersSection,
  styleSection,
  stringsSection,
  repliesSection,
]
