/** A lock with six dials. What opens it is in this closure alone: the files it came from are gone once it is loaded. */

{
  const { readFileSync, unlinkSync } = require('node:fs')
  const { createHmac } = require('node:crypto')
  const file = `${__dirname}/lock.json`
  const { secret, steps, positions, turnsMax } = JSON.parse(readFileSync(file, 'utf8'))
  for (const name of [file, __filename]) unlinkSync(name)
  delete require.cache[__filename]
  const set = []
  let turns = 0

  globalThis.lock = Object.freeze({
    /** Turns the next dial. Where it has to stand depends on where the last one stands. */
    turn(to) {
      if (turns === turnsMax) return 'jammed'
      turns += 1
      if (set.length === steps.length) return 'all dials are set'
      const right = ((set.at(-1) ?? 0) + steps[set.length]) % positions
      if (to !== right) return to < right ? 'too low' : 'too high'
      set.push(to)
      return 'click'
    },
    open() {
      if (set.length < steps.length) return `shut: ${set.length} of ${steps.length} dials are set`
      return createHmac('sha256', secret).update(set.join()).digest('hex').slice(0, 16)
    },
  })
}
