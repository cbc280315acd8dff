// a REPL of Node's own whose prompt is empty; `index` works for three seconds without a word
import repl from 'node:repl'
import { sleep, truth } from '../truth.mjs'

repl.start({
  prompt: '',
  async eval(line, _context, _file, done) {
    const [word, ms] = line.trim().split(' ')
    if (word === 'index') await sleep(Number(ms) || 3000)
    done(null, word === 'index' ? 'indexed' : word.toUpperCase())
    truth()
  },
})
truth()
