import { expect, test } from 'vitest'
import { withoutCanary } from './import-terminal-bench.ts'

test.each<[string, string, string]>([
  ['a comment at the beginning goes', '# canary x\nFROM a\n', 'FROM a\n'],
  ['capitals count, too', '# BENCHMARK CANARY\na', 'a'],
  ['the first line of a script stays', '#!/bin/sh\n# canary\n# why\nx\n', '#!/bin/sh\n# why\nx\n'],
  ['a comment of a page goes', '<!-- canary -->\ntext', 'text'],
  ['one further down stays', 'a\n# canary\n', 'a\n# canary\n'],
  ['a text that speaks of one stays', 'The canary sings.\n', 'The canary sings.\n'],
  ['a text of comments alone', '# canary\n', ''],
  ['nothing', '', ''],
])('%s', (_name, text, want) => expect(withoutCanary(text)).toBe(want))
