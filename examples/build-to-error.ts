/** Watches a build to its first error, and shows only that. */

import assert from 'node:assert/strict'
import { openSession } from 'agentpty'

await using shell = await openSession({ shell: 'bash' })
await shell.send('mkdir -p "$TMPDIR/build" && cd "$TMPDIR/build"')
await shell.send(`cat > main.c <<'END'
#include <stdio.h>
int main(void) { printf("%d\\n", answr); }
END`)

const { exitCode, cursor } = await shell.run('for i in $(seq 500); do echo "step $i"; done; cc -o main main.c')
console.log(`the build ended with ${exitCode}`)

// All output is retained; only the relevant part is read.
const { output, matches } = await shell.read({ since: 0, find: 'error:', contextLines: 1 })
console.log(`${matches} line of ${cursor} bytes:\n${output}`)

assert.equal(exitCode, 1)
assert.match(output, /main\.c:2:\d+: error: .*answr/)
