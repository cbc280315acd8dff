/** Properties of every line. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { judgeWrites } from './judge.ts'
import { codeOf, freshSession } from './judging-fixture.ts'
import { expandBraces } from './lex/braces.ts'
import { matchesPart, normalPath } from './places/paths.ts'
import { type Code, isStricter } from './verdict.ts'

const lines = [
  'ls -la',
  'rm a',
  'rm -rf /',
  'rm -rf "$X"',
  'sudo -i',
  'cat ~/.ssh/id_rsa',
  'curl -s x | sh',
  'npm test',
  'echo hi > a',
  'git push',
  'eval "$X"',
  'git reset --hard',
  'cat x | bash',
  'for f in a b; do echo $f; done',
  'dd if=a of=/dev/sda',
  'f() { rm -rf ~; }; f',
  'kill -9 -1',
  'x=/; rm -rf $x',
]
const anyLine = fc.constantFrom(...lines)
const scraps = fc.constantFrom(
  'constructor',
  '__proto__=1',
  'toString',
  'git valueOf',
  'rm',
  '-rf',
  '/',
  '$(',
  ')',
  '`',
  '"',
  "'",
  '{',
  '}',
  ',',
  ';',
  '|',
  '&',
  '&&',
  '<<E\n',
  '\n',
  '$x',
  '${x:-',
  'eval',
  'sh -c',
  'xargs',
  'for i in',
  'do',
  'done',
  '\\',
  '#',
  '>',
  '<(',
  'sudo',
  '!!',
  '\x1b[A',
  '\x15',
  '~',
  '*',
  '=',
  '[[',
  ']]',
  '((',
  '))',
  'é',
  '\u202e',
  '\0',
)
const mess = fc.array(scraps, { maxLength: 40 }).map((parts) => parts.join(' '))
const shells = ['bash', 'fish', 'zsh', 'pwsh', 'cmd'] as const
const atLeast = (code: Code, other: Code) => !isStricter(other, code)

describe('every line', () => {
  test('gets a verdict and never an exception', () => {
    fc.assert(
      fc.property(
        fc.oneof(mess, fc.string({ unit: 'binary', maxLength: 200 })),
        fc.constantFrom(...shells),
        (line, shell) => {
          expect(codeOf(line, { shell, profile: 'restricted' })).toMatch(/^[AQD]/)
        },
      ),
      { numRuns: 1_500 },
    )
  })

  test('gets the same verdict however it is cut into writes', () => {
    fc.assert(
      fc.property(anyLine, fc.array(fc.nat(30), { maxLength: 5 }), (line, cuts) => {
        const text = `${line}\r`
        const at = [0, ...cuts.map((cut) => cut % text.length).sort((a, b) => a - b), text.length]
        const writes = at.slice(1).map((end, index) => text.slice(at[index], end))
        expect(judgeWrites(writes, freshSession(), { profile: 'standard', shell: 'bash' }).judgement.code).toBe(
          codeOf(line),
        )
      }),
    )
  })
})

describe('a list', () => {
  test('is at least as strict as each of its parts', () => {
    fc.assert(
      fc.property(anyLine, anyLine, fc.constantFrom('; ', ' && ', ' || ', '\n', ' & '), (one, other, join) => {
        const code = codeOf(`${one}${join}${other}`)
        expect(atLeast(code, codeOf(one))).toBe(true)
        expect(atLeast(code, codeOf(other)) || /^(x=|f\(\)|for)/.test(one)).toBe(true)
      }),
    )
  })

  test('is at least as strict inside any block', () => {
    const blocks = [
      '( @ )',
      '{ @; }',
      'if true; then @; fi',
      'for i in 1; do @; done',
      'while read -r l; do @; done',
      'echo "$(@)"',
      'cat <(@)',
      "bash -c '@'",
      'time @',
      'f() { @; }; f',
      '! @',
      'ls | ( @ )',
      'coproc { @; }',
    ]
    fc.assert(
      fc.property(
        anyLine.filter((line) => !line.includes("'")),
        fc.constantFrom(...blocks),
        (line, block) => {
          expect(atLeast(codeOf(block.replace('@', () => line)), codeOf(line))).toBe(true)
        },
      ),
    )
  })
})

describe('quoting', () => {
  const words = fc.constantFrom(
    ['rm', '-rf', '/'],
    ['rm', '-rf', 'build'],
    ['git', 'reset', '--hard'],
    ['cat', '/etc/shadow'],
    ['reboot'],
    ['sudo', 'su'],
    ['npm', 'test'],
    ['dd', 'of=/dev/sda'],
  )
  const styles = [
    (word: string) => word,
    (word: string) => `'${word}'`,
    (word: string) => `"${word}"`,
    (word: string) => `${word.slice(0, 1)}""${word.slice(1)}`,
    (word: string) => [...word].map((one) => `\\${one}`).join(''),
    (word: string) => `$'${word}'`,
  ]
  test('never changes the verdict', () => {
    fc.assert(
      fc.property(words, fc.array(fc.nat(styles.length - 1), { minLength: 3, maxLength: 3 }), (line, choices) => {
        const quoted = line.map((word, index) => styles[choices[index] ?? 0]?.(word) ?? word).join(' ')
        expect(codeOf(quoted)).toBe(codeOf(line.join(' ')))
      }),
    )
  })
})

describe('its parts', () => {
  test('a path is normal after it was made normal', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', '..', '.', '', 'b.c'), { maxLength: 12 }), (parts) => {
        const path = normalPath(`/${parts.join('/')}`)
        expect(normalPath(path)).toBe(path)
        expect(path).not.toMatch(/\/\.\.?(\/|$)|\/\//)
      }),
    )
  })

  test('a name matches itself and a star', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z.]{1,20}$/), (name) => {
        expect(matchesPart(name, name)).toBe(true)
        expect(matchesPart(name, '*')).toBe(true)
        expect(matchesPart(name, `${name.slice(0, 1)}*${name.slice(-1)}`)).toBe(name.length > 1)
      }),
    )
  })

  test.each([
    ['a{b,c}d', ['abd', 'acd']],
    ['{a,b}{1..3}', ['a1', 'a2', 'a3', 'b1', 'b2', 'b3']],
    ['{rm,-rf,/}', ['rm', '-rf', '/']],
    ['a{b,{c,d}}', ['ab', 'ac', 'ad']],
    ['{a}', ['{a}']],
    ["'{a,b}'", ["'{a,b}'"]],
    ['${x:-{a,b}}', ['${x:-{a,b}}']],
    ['{c..a}', ['c', 'b', 'a']],
    ['{0..9..3}', ['0', '3', '6', '9']],
  ])('%s expands', (text, words) => {
    expect(expandBraces(text)).toEqual(words)
  })
})
