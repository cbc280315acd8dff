import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileExpression, type Expression, workMax } from './expression.ts'

function compiled(source: string, flags = ''): Expression {
  const expression = compileExpression(source, { flags })
  if ('problem' in expression) throw new Error(`${source}: ${expression.problem}`)
  return expression
}
const matches = (source: string, text: string, flags = '') => compiled(source, flags).test(text, { left: workMax })

describe('an expression matches like one of JavaScript', () => {
  const atom = fc.constantFrom(
    'a',
    'b',
    'A',
    '.',
    '\\s',
    '\\w',
    '\\d',
    '[ab]',
    '[^a]',
    '[a-c]',
    ' ',
    '\\.',
    '(a|b)',
    '(?:ab)',
  )
  const piece = fc
    .tuple(atom, fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,2}', '{0,}', '*?', '+?'))
    .map(([one, times]) => one + times)
  const edges = fc.constantFrom('', '', '^', '\\b', '\\B')
  const branch = fc
    .tuple(edges, fc.array(piece, { maxLength: 4 }), fc.constantFrom('', '', '$', '\\b'))
    .map(([start, parts, end]) => start + parts.join('') + end)
  const nested = fc
    .tuple(branch, branch, fc.constantFrom('', '*', '+', '?'))
    .map(([one, other, times]) => `(${one}|${other})${times}`)
  const source = fc.array(fc.oneof(branch, nested), { minLength: 1, maxLength: 2 }).map((parts) => parts.join('|'))
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'A', ' ', '\n', '.', '1', 'é'), maxLength: 12 })

  test('anywhere in any text', () => {
    fc.assert(
      fc.property(source, text, fc.constantFrom('', 'i', 'm', 's', 'im'), (pattern, given, flags) => {
        expect(matches(pattern, given, flags)).toBe(new RegExp(pattern, flags).test(given))
      }),
      { numRuns: 3_000 },
    )
  })

  test('as a whole', () => {
    fc.assert(
      fc.property(source, text, (pattern, given) => {
        const expression = compileExpression(pattern, { isWhole: true })
        if ('problem' in expression) throw new Error(expression.problem)
        expect(expression.test(given, { left: workMax })).toBe(new RegExp(`^(?:${pattern})$`).test(given))
      }),
      { numRuns: 1_000 },
    )
  })

  test.each<[string, string, boolean]>([
    ['(?i)K', '\u212a', false],
    ['[Kk]ill', 'KILL', false],
    ['(?i)[k]ill', 'KILL', true],
    ['(ab){2}c', 'ababc', true],
    ['a(x|y)b', 'ayb', true],
    ['docker\\s+system\\s+prune', 'docker  system prune -f', true],
    ['kubectl\\s+delete', 'kubectl get', false],
    ['(?i)DROP TABLE', 'drop table x', true],
    ['[\\]\\-a]', 'x-', true],
    ['\\x41\\u0042', 'AB', true],
    ['a{,2}', 'a{,2}', true],
    ['[^]', '\n', true],
    ['[]', 'a', false],
    ['x*', '', true],
    ['\\cA', '', false],
  ])('%s on %j', (pattern, given, want) => {
    const expression = compileExpression(pattern)
    expect('problem' in expression ? false : expression.test(given, { left: workMax })).toBe(want)
  })
})

describe('time grows with the text and no faster', () => {
  test.each([
    ['repetitions of repetitions', '(a+)+$', `${'a'.repeat(100_000)}!`],
    ['choices that overlap', '(a|aa|a?)*c', 'a'.repeat(100_000)],
    ['anything before anything', '.*.*.*.*.*x', 'y'.repeat(100_000)],
    ['a beginning that is nearly everywhere', 'curl .*\\| *(ba)?sh', 'curl '.repeat(20_000)],
    ['blanks before an end', '\\s+$', `${' '.repeat(100_000)}x`],
  ])('%s', (_name, source, text) => {
    const work = { left: workMax }
    expect(compiled(source).test(text, work)).toBe(false)
    expect(workMax - work.left).toBeLessThan(10_000)
  })

  test('an expression that is hard for every character is given up, and reported', () => {
    let seed = 1
    let text = ''
    while (text.length < 100_000) {
      seed = (seed * 48_271) % 2_147_483_647
      text += seed % 2 === 0 ? 'a' : 'b'
    }
    const work = { left: workMax }
    expect(compiled('(a|b)*a(a|b){14}c').test(text, work)).toBeNull()
    expect(compiled('x').test('x', work)).toBeNull()
  })
})

test('the same text gets the same answer each time, whatever the flags', () => {
  const expression = compiled('rm', 'gy')
  expect([1, 2, 3, 4].map(() => expression.test('a rm', { left: workMax }))).toEqual([true, true, true, true])
})

describe('an expression that needs several passes is refused by its name', () => {
  test.each([
    ['(a)\\1', /reference to a group/],
    ['(?<n>a)\\k<n>', /reference to a group/],
    ['(?=a)', /looking around/],
    ['a(?<!b)', /looking around/],
    ['(?>a)', /kind of group/],
    ['(a{99}){99}', /too large/],
    ['((a{20}){20}){20}', /too large/],
    ['(', /without its \)/],
    ['a)', /without its \(/],
    ['[a', /missing/],
    ['*a', /repetition of nothing/],
    ['a**', /repetition of a repetition/],
    ['^*', /repetition of \^/],
    ['a{3,1}', /out of order/],
    ['[z-a]', /out of order/],
    ['\\p{L}', /escape that is not known/],
    ['[😀]', /two/],
    ['\\', /missing/],
    ['\\u12', /digits/],
  ])('%s', (source, problem) => {
    expect(compileExpression(source)).toEqual({ problem: expect.stringMatching(problem) })
  })

  test('a flag that is none', () => {
    expect(compileExpression('a', { flags: 'v' })).toEqual({ problem: expect.stringMatching(/flag v/) })
  })

  test('any text is an expression or refused, and never an exception', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'ab()[]{}?*+|^$\\-,.<>=!:1kdwxu&~'), maxLength: 20 }),
        (source) => {
          const expression = compileExpression(source)
          if ('problem' in expression) expect(expression.problem).not.toBe('')
          else expect(typeof expression.test('ab', { left: workMax })).toBe('boolean')
        },
      ),
      { numRuns: 3_000 },
    )
  })
})
