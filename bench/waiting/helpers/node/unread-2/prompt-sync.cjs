// prompt-sync reads the terminal in raw mode by reads that block; what comes between them blocks as well
const prompt = require('prompt-sync')({ sigint: true })

const nap = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
nap(700)
for (let visit = 0; ; visit++) {
  prompt('Which floor? ')
  nap(1300)
  prompt.hide('Door code: ')
  nap(visit > 0 ? 60_000 : 1200)
}
