/** The table of frames against the headers of ptyhost: what differs between the two sides of the wire fails here. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { activities } from '@agentpty/protocol'
import { describe, test } from 'vitest'
import {
  answers,
  type Field,
  type Fields,
  type FrameRow,
  factsFlag,
  factsInnerFlag,
  frameHeaderBytes,
  protocolMagic,
  protocolVersion,
  requests,
  spawnStages,
  waitKinds,
  writeResults,
} from './protocol.ts'

const header = (name: string) =>
  readFileSync(new URL(`../../../../native/ptyhost/src/${name}`, import.meta.url), 'utf8')
const headers = `${header('protocol.h')}\n${header('facts.h')}`

interface Constant {
  readonly name: string
  readonly value: number
  readonly comment: string
}

/** The constants of a C enum in their order, without the prefix that all of them have. */
function enumOf(name: string, prefix: string): readonly Constant[] {
  const body = new RegExp(`enum ${name} \\{(.*?)\\};`, 's').exec(headers)?.[1]
  assert.ok(body !== undefined, `no header has enum ${name}`)
  const constants = [...body.matchAll(/\b([A-Z_]+) = (\d+)(?: << (\d+))?,?\s*(?:\/\*(.*?)\*\/)?/gs)]
  return constants.map(([, found = '', base, shift = '0', comment = '']) => {
    assert.ok(found.startsWith(prefix), `${found} begins with ${prefix}`)
    const value = Number(base) << Number(shift)
    return { name: found.slice(prefix.length).toLowerCase(), value, comment: comment.replace(/\s+/g, ' ').trim() }
  })
}

const inCamelCase = (name: string): string => name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase())

/** A row of the table as the header writes it. */
const inWords = (fields: Fields): string =>
  Object.entries(fields)
    .map(([name, field]) => `${typeInWords(field)} ${name}`)
    .join(', ')

function typeInWords(field: Field): string {
  if (typeof field === 'string') return field
  const [item] = field
  return typeof item === 'string' ? `${item}[]` : `{${inWords(item)}}[]`
}

describe.each<[string, string, string, Readonly<Record<string, FrameRow>>]>([
  ['requests', 'request_type', 'REQUEST_', requests],
  ['answers', 'answer_type', 'ANSWER_', answers],
])('%s', (_kind, name, prefix, table) => {
  const rows = enumOf(name, prefix).map((row) => ({ ...row, name: inCamelCase(row.name) }))

  test('the same names have the same numbers on both sides', () => {
    assert.deepEqual(
      Object.fromEntries(Object.entries(table).map(([key, { type }]) => [key, type])),
      Object.fromEntries(rows.map((row) => [row.name, row.value])),
    )
  })

  test.each(rows)('the fields of $name are the same, in the same order', (row) => {
    const fields = table[row.name]?.fields ?? {}
    assert.equal(inWords(fields), row.comment.split(':')[0])
  })
})

const scalarBytes: Readonly<Partial<Record<string, number>>> = {
  u8: 1,
  bool: 1,
  u16: 2,
  u32: 4,
  i32: 4,
  u64: 8,
  name: 16,
}

test('the buffers for answers of one size have exactly that size', () => {
  const sizeOf = (type: Field) => (typeof type === 'string' ? scalarBytes[type] : undefined) ?? Number.NaN
  const sizes = Object.entries(answers)
    .map(([name, { fields }]) => [name, Object.values(fields).reduce((sum, type) => sum + sizeOf(type), 0)] as const)
    .filter(([, bytes]) => !Number.isNaN(bytes))
  const buffers = enumOf('answer_bytes', 'BYTES_').map(({ name, value }) => [name, value])
  assert.deepEqual(Object.fromEntries(buffers), Object.fromEntries(sizes))
})

test('an answered request and its answer both begin with the number of the request', () => {
  for (const row of Object.values(requests)) {
    if (!('answer' in row)) continue
    assert.equal(Object.keys(row.fields)[0], 'request')
    assert.equal(Object.keys(row.answer.fields)[0], 'request')
  }
})

test.each<[string, string, readonly string[]]>([
  ['spawn_stage', 'SPAWN_', spawnStages],
  ['write_result', 'WRITE_', writeResults],
  ['wait_kind', 'WAIT_', waitKinds],
  ['activity', 'ACTIVITY_', activities],
])('enum %s has the same names in the same order', (name, prefix, list) => {
  const constants = enumOf(name, prefix)
  assert.deepEqual(
    constants.map((one) => one.name),
    list,
  )
  assert.deepEqual(
    constants.map((one) => one.value),
    list.map((_, index) => index),
  )
})

test.each<[string, Readonly<Record<string, number>>]>([
  ['facts_flag', factsFlag],
  ['facts_inner_flag', factsInnerFlag],
])('enum %s has the same bits', (name, flags) => {
  const camelCase = (words: string) => words.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  const bits = enumOf(name, 'FACTS_').map((flag) => [camelCase(flag.name), flag.value])
  assert.deepEqual(flags, Object.fromEntries(bits))
})

test.each<[string, number]>([
  ['PROTOCOL_VERSION', protocolVersion],
  ['PROTOCOL_MAGIC', protocolMagic],
  ['FRAME_HEADER_BYTES', frameHeaderBytes],
])('%s is the same', (name, value) => {
  const [, number] = new RegExp(`#define ${name} (\\w+?)u?\\b`).exec(headers) ?? []
  assert.equal(Number(number), value)
})
