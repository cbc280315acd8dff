/** Shapes of commands, patterns of paths and of addresses. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arg, globArg, unknownMark } from '../walk/value.ts'
import { parseAddress, textOfAddress } from './address.ts'
import { fitsShape, parseShape } from './command-pattern.ts'
import { workMax } from './expression.ts'
import { fitsAddress, parseUrlPattern } from './url-pattern.ts'
import { coversPath, liesBelow, parsePathPattern } from './wildcard.ts'

const words = (line: string) =>
  line.split(' ').map((word) => {
    const text = word.replaceAll('?', unknownMark)
    return /[*[]/.test(text) ? globArg(text) : arg(text)
  })

describe('a shape that forbids or asks', () => {
  test.each<[name: string, shape: string, line: string, fit: string]>([
    ['is the command itself', 'git push', 'git push', 'yes'],
    ['is what begins with it', 'git push', 'git push origin main', 'yes'],
    ['is no other word', 'git push', 'git pull', 'no'],
    ['is no part of a word', 'git push', 'git push-all', 'no'],
    ['is no later word', 'git push', 'git commit push', 'no'],
    ['passes options over', 'git push', 'git -c a=b --no-pager push', 'yes'],
    ['passes the value of an option over', 'git push', 'git -C dir push', 'yes'],
    ['passes over no second value', 'git push', 'git -C dir other push', 'no'],
    ['is the program in any folder', 'docker push', '/usr/bin/docker push', 'yes'],
    ['has stars in words', 'npm run build:*', 'npm run build:prod', 'yes'],
    ['has a star for one word', 'npm * build', 'npm run build', 'yes'],
    ['has a star for one word and no more', 'npm * build', 'npm run a build', 'no'],
    ['has two stars for any words', 'docker ** down', 'docker compose a b down', 'yes'],
    ['has two stars for no word', 'docker ** down', 'docker down', 'yes'],
    ['may mean what is not known', 'kubectl delete', 'kubectl ? pod', 'maybe'],
    ['does not mean what is known otherwise', 'git push', 'git commit ?', 'no'],
    ['may mean what is known in part', 'kubectl delete', 'kubectl de? pod', 'maybe'],
    ['does not mean what begins otherwise', 'kubectl delete', 'kubectl ge? pod', 'no'],
    ['may mean what a pattern names', 'rm build', 'rm b*', 'maybe'],
    ['is one that ends where nothing is known', 'git push --force', 'git ?', 'maybe'],
  ])('%s', (_name, shape, line, fit) => {
    expect(fitsShape(words(line), parseShape(shape), { isWhole: false })).toBe(fit)
  })
})

describe('a shape that allows', () => {
  test.each<[name: string, shape: string, line: string, fit: string]>([
    ['is the whole command', 'npm run build', 'npm run build', 'yes'],
    ['is nothing longer', 'npm run build', 'npm run build --now', 'no'],
    ['passes nothing over', 'npm run build', 'npm --prefix /x run build', 'no'],
    ['is no program of another folder', 'npm run build', '/tmp/npm run build', 'no'],
    ['has a star for one word', 'npm run *', 'npm run build', 'yes'],
    ['has a star for one word and no more', 'npm run *', 'npm run build x', 'no'],
    ['has two stars for any words', 'npm run **', 'npm run build -- x', 'yes'],
    ['does not mean what is not known', 'npm run *', 'npm ? build', 'no'],
    ['does not mean fewer words', 'npm run *', 'npm run', 'no'],
  ])('%s', (_name, shape, line, fit) => {
    expect(fitsShape(words(line), parseShape(shape), { isWhole: true })).toBe(fit)
  })
})

test('a shape takes time for its words times those of the command', () => {
  const shape = parseShape('a ** b ** c ** d ** e ** f')
  const long = Array.from({ length: 20_000 }, (_, at) => arg(at % 2 === 0 ? '-x' : 'a'))
  expect(fitsShape([arg('a'), ...long], shape, { isWhole: false })).toBe('no')
})

test('a shape that allows a command is one that forbids it as well', () => {
  const word = fc.constantFrom('a', 'b', '-x', '*', '**', 'a*')
  const line = fc.array(fc.constantFrom('a', 'b', '-x', 'ab'), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), line, (parts, given) => {
      const shape = parseShape(parts.join(' '))
      const command = given.map((text) => arg(text))
      if (fitsShape(command, shape, { isWhole: true }) === 'yes')
        expect(fitsShape(command, shape, { isWhole: false })).toBe('yes')
    }),
  )
})

describe('a pattern of paths', () => {
  const place = (folder: string | null) => ({ home: '/home/dev', folder })
  const parsed = (text: string, folder: string | null) => {
    const pattern = parsePathPattern(text, place(folder))
    if ('problem' in pattern) throw new Error(pattern.problem)
    return pattern
  }
  test.each<[name: string, text: string, folder: string | null, path: string, fit: string]>([
    ['without a slash is a name in any folder', '.env', '/srv/app', '/srv/app/a/b/.env', 'yes'],
    ['of a repository stays in it', '.env', '/srv/app', '/srv/other/.env', 'no'],
    ['of the user is anywhere', '.env', null, '/srv/other/.env', 'yes'],
    ['with a slash begins at its folder', 'a/b', '/srv/app', '/srv/app/a/b', 'yes'],
    ['with a slash is no deeper folder', 'a/b', '/srv/app', '/srv/app/x/a/b', 'no'],
    ['with a slash of the user is anywhere', 'a/b', null, '/x/a/b', 'yes'],
    ['is all that is below a folder', 'secrets', '/srv/app', '/srv/app/secrets/a/b', 'yes'],
    ['may end with a slash', 'secrets/', '/srv/app', '/srv/app/secrets/a', 'yes'],
    ['may end with two stars', 'secrets/**', '/srv/app', '/srv/app/secrets/a', 'yes'],
    ['is no beginning of a name', 'secrets', '/srv/app', '/srv/app/secrets2', 'no'],
    ['may be of the home', '~/notes', '/srv/app', '/home/dev/notes/x', 'yes'],
    ['may be absolute', '/etc/x', '/srv/app', '/etc/x/y', 'yes'],
    ['has stars that stay in a part', '/a/*.pem', null, '/a/b/c.pem', 'no'],
    ['has stars in a part', '*.pem', null, '/a/b/c.pem', 'yes'],
    ['has two stars for parts', '/a/**/z', null, '/a/b/c/z', 'yes'],
    ['has two stars for no part', '/a/**/z', null, '/a/z', 'yes'],
    ['is what a pattern of the shell may name', '/a/secret', null, '/a/s*', 'maybe'],
    ['is not what it cannot name', '/a/secret', null, '/a/x*', 'no'],
    ['covers everything in a folder whatever the name', '/a/secret', null, '/a/secret/*', 'yes'],
  ])('%s', (_name, text, folder, path, fit) => {
    expect(coversPath(parsed(text, folder), path, { left: workMax })).toBe(fit)
  })

  test('is gone when a folder above it is', () => {
    expect(liesBelow(parsed('a/secret', '/srv/app'), '/srv/app/a')).toBe('yes')
    expect(liesBelow(parsed('a/secret', '/srv/app'), '/srv/app/b')).toBe('no')
    expect(liesBelow(parsed('.env', '/srv/app'), '/srv/app/b')).toBe('no')
  })

  test.each(['!keep', 'a\0b', '../x', 'a/../../b'])('is not %j', (text) => {
    expect(parsePathPattern(text, place('/srv/app'))).toEqual({ problem: expect.any(String) })
  })

  test('takes time for its parts times those of the path', () => {
    const pattern = parsed('**/a/**/a/**/a/**/b', null)
    expect(coversPath(pattern, '/a'.repeat(20_000), { left: workMax })).toBe('no')
  })
})

describe('an address', () => {
  test.each<[text: string, plain: string | null]>([
    ['https://Example.COM./a?b', 'https://example.com/a?b'],
    ['https://example.com:443/', 'https://example.com/'],
    ['http://example.com:8080', 'http://example.com:8080/'],
    ['example.com', 'example.com'],
    ['example.com/path', 'example.com/path'],
    ['localhost:3000', 'localhost:3000'],
    ['user@host:dir/file', 'host'],
    ['git@github.com:a/b.git', 'github.com'],
    ['ssh://git@github.com:22/a', 'ssh://github.com/a'],
    ['git+https://github.com/a', 'https://github.com/a'],
    ['/dev/tcp/10.0.0.1/443', '10.0.0.1:443'],
    ['http://2130706433/', 'http://127.0.0.1/'],
    ['http://0x7f.1/', 'http://127.0.0.1/'],
    ['http://good.example@evil.example/', 'http://evil.example/'],
    ['http://[::1]:80/', 'http://[::1]/'],
    ['http://a/../b', 'http://a/b'],
    // Text that programs read differently is no address.
    ['http://good.example\\@evil.example/', null],
    ['http://{a,b}.example/', null],
    ['http://a b/', null],
    ['http:///x', null],
    ['http://ev%69l.example/', 'http://evil.example/'],
  ])('%s', (text, plain) => {
    const address = parseAddress(text)
    expect(address === null ? null : textOfAddress(address)).toBe(plain)
  })
})

describe('a pattern of addresses', () => {
  test.each<[pattern: string, address: string, isDenied: boolean, isAmongOnly: boolean]>([
    ['example.com', 'https://example.com/x', true, true],
    ['example.com', 'https://www.example.com/x', true, false],
    ['example.com', 'https://notexample.com/', false, false],
    ['example.com', 'https://example.com.evil.example/', false, false],
    ['*.example.com', 'https://a.b.example.com/', true, true],
    ['*.example.com', 'https://example.com/', false, false],
    ['EXAMPLE.com', 'https://example.com/', true, true],
    ['example.com:8080', 'http://example.com:8080/', true, true],
    ['example.com:8080', 'http://example.com/', false, false],
    ['example.com:443', 'https://example.com/', true, true],
    ['example.com:443', 'example.com', true, false],
    ['https://example.com', 'http://example.com/', false, false],
    ['https://example.com/api', 'https://example.com/api/v1', true, true],
    ['https://example.com/api', 'https://example.com/api', true, true],
    ['https://example.com/api', 'https://example.com/apiary', false, false],
    ['https://example.com/api', 'https://example.com/api/../x', false, false],
    ['127.0.0.1', 'http://2130706433/', true, true],
    ['10.*', 'http://10.1.2.3/', true, true],
    ['/^https://[^/]*internal/', 'https://a.internal.example/', true, true],
  ])('%s with %s', (text, given, isDenied, isAmongOnly) => {
    const pattern = parseUrlPattern(text)
    const address = parseAddress(given)
    if ('problem' in pattern || address === null) throw new Error(text)
    expect(fitsAddress(pattern, address, 'wide', { left: workMax }) === 'yes').toBe(isDenied)
    expect(fitsAddress(pattern, address, 'whole', { left: workMax }) === 'yes').toBe(isAmongOnly)
  })

  test.each([
    ...['', 'a b', 'http://', '/(/', 'user@host', 'nowhere..x', '.example.com', '*..example.com', 'https://a..b/c'],
    ...['example.com:0', 'example.com:99999', '*.bücher.example'],
  ])('is not %j', (text) => {
    expect(parseUrlPattern(text)).toEqual({ problem: expect.any(String) })
  })

  test.each(['example.com.', 'bücher.example', '*.example.com:*', '10.*', '[::1]:8080'])('is %j', (text) => {
    expect(parseUrlPattern(text)).toMatchObject({ kind: 'address' })
  })
})
