/**
 * A program with a series of dialogs of different kinds, as agents show them: `node dialogs.mjs KIND...`. It prints the
 * choices, and waits for a line in between.
 */

import { setTimeout } from 'node:timers/promises'

const kinds = process.argv.slice(2)
const labels = ['Yes', 'Yes, and always allow it', 'No, tell it what to do']
const out = (text) => process.stdout.write(text)
const blocked = () => out('\x1b]7501;state=blocked\x1b\\')
const at = (row, text) => out(`\x1b[${row};1H\x1b[2K${text}`)

/** Each draws its options with one of them highlighted, from the eighth row on. */
const looks = {
  numbered: (on) => labels.map((label, i) => `${i === on ? '❯' : ' '} ${i + 1}. ${label}`),
  described: (on) =>
    ['Once     only now', 'Always   from now on'].map((label, i) => `${i === on ? '❯' : ' '} ${i + 1}. ${label}`),
  pointed: (on) => labels.map((label, i) => `${i === on ? '❯' : ' '} ${label}`),
  styled: (on) => labels.map((label, i) => `   ${i === on ? `\x1b[44m${label}\x1b[m` : label}`),
  across: (on) => [labels.map((label, i) => (i === on ? `\x1b[44m${label}\x1b[m` : label)).join('   ')],
}

/**
 * The effect of keys: `digits` choose an option immediately, `goes` only moves there, `deaf` ignores keys, `stuck` never closes. The `halting`
 * ones draw row by row.
 */
const ways = {
  digits: { look: 'numbered', digit: 'takes' },
  goes: { look: 'numbered', digit: 'goes' },
  arrows: { look: 'numbered' },
  described: { look: 'described' },
  pointed: { look: 'pointed' },
  styled: { look: 'styled' },
  across: { look: 'across' },
  deaf: { look: 'pointed', isDeaf: true },
  stuck: { look: 'pointed', isStuck: true },
  haltingArrows: { look: 'styled', isHalting: true },
  haltingDigits: { look: 'numbered', digit: 'goes', isHalting: true },
}
const haltMs = 25

process.stdin.setRawMode(true)
out('\x1b[?1049h\x1b[?25l')
const keys = []
let wake = () => {}
process.stdin.on('data', (bytes) => {
  keys.push(...(bytes.toString().match(/\x1b\[.|[\s\S]/g) ?? []))
  wake()
})
async function key() {
  while (keys.length === 0) await new Promise((resolve) => (wake = resolve))
  return keys.shift()
}

async function draw(rows, isHalting) {
  for (const [row, text] of rows) {
    if (isHalting) {
      at(row, '')
      await setTimeout(haltMs)
    }
    at(row, text)
  }
}

async function ask({ look, digit, isDeaf, isStuck, isHalting }, number) {
  out('\x1b[2J')
  const around = [
    [4, `Command ${number}: touch made.txt`],
    [6, 'Do you want to proceed?'],
    [12, 'Enter to confirm · Esc to cancel'],
  ]
  await draw(around, isHalting)
  let on = 0
  for (;;) {
    const options = looks[look](on).map((text, index) => [8 + index, text])
    await draw(options, isHalting)
    blocked()
    const pressed = await key()
    const step = { '\x1b[A': -1, '\x1b[B': 1, '\x1b[D': -1, '\x1b[C': 1 }[pressed] ?? 0
    if (!isDeaf) on = Math.min(Math.max(0, on + step), labels.length - 1)
    if (pressed === '\r' && !isStuck) return on
    if (/[1-3]/.test(pressed) && digit === 'goes') on = Number(pressed) - 1
    if (/[1-3]/.test(pressed) && digit === 'takes') return Number(pressed) - 1
  }
}

const chosen = []
for (const [number, kind] of kinds.entries()) chosen.push(await ask(ways[kind], number + 1))
out('\x1b[?1049l')
out(`chosen: ${chosen.map((index) => labels[index]).join('; ')}\r\n`)
process.exit()
