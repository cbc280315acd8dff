import { expect, test } from 'vitest'
import { discoveryFiles } from './discovery.ts'

const [portFile, serverFile] = discoveryFiles('/home/ada')
const served = { port: 17_580, pid: 42, startedAt: '2026-01-01T00:00:00.000Z', version: '1.2.3' }

test('the port file is the plain number, the other one an object', () => {
  expect(portFile?.write(served)).toBe('17580')
  expect(JSON.parse(serverFile?.write(served) ?? '')).toEqual(served)
})

test.each<[string, string, number | null]>([
  ['a number', '17580', 17_580],
  ['a number and a line end', '17580\n', 17_580],
  ['nothing', '', null],
  ['zero', '0', null],
  ['more than a port can be', '70000', null],
  ['a number and more', '17580 evil.example', null],
  ['a fraction', '1.5', null],
])('a port file with %s is read as %j', (_what, text, port) => expect(portFile?.portIn(text)).toBe(port))

test.each<[string, number | null]>([
  ['{"port":80}', 80],
  ['{"port":"80"}', null],
  ['{"port":1e9}', null],
  ['[80]', null],
  ['{', null],
])('a server file of %j is read as %j', (text, port) => expect(serverFile?.portIn(text)).toBe(port))

test('only the server file says who wrote it', () => {
  expect(serverFile?.pidIn(serverFile.write(served))).toBe(42)
  expect(portFile?.pidIn('42')).toBeNull()
})

test.each(['{"pid":"42"}', '{"pid":0}', '{"pid":-1}', '{"pid":1.5}', '{"pid":1e12}', '{'])(
  '%s names no process',
  (text) => expect(serverFile?.pidIn(text)).toBeNull(),
)
