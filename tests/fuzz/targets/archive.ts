/** Archives from a container: for any bytes, an entry has a path below the top and content from the archive; the rest is refused. */

import assert from 'node:assert/strict'
import { ArchiveWriter, isName, readArchive } from '@agentpty/gym/testing'
import { isTermError } from '@agentpty/protocol'
import type { Target } from '../target.ts'

const plain = new ArchiveWriter()
plain.folder(Buffer.from('d'), 0o755)
plain.file(Buffer.from('d/f'), 0o644, Buffer.from('text'))
plain.link(Buffer.from('d/l'), Buffer.from('f'))
plain.file(Buffer.from('n'.repeat(150)), 0o644, Buffer.from(''))
const sample = plain.end()

export const archive: Target = {
  name: 'archive',
  covers: ['gym/src/tree/archive.ts'],
  words: [
    'ustar\0',
    'ustar  \0',
    '././@LongLink',
    '0000000',
    '00000000004\0',
    '../',
    '/',
    '..',
    '\0',
    '11 path=a/b\n',
    '12 linkpath=x\n',
    '9 size=4\n',
    '20 path=../../../x\n',
    'L',
    'K',
    'x',
    'g',
    '1',
    '2',
    '5',
    'S',
  ],
  bytesMax: 8_000,
  check(input) {
    // A checksum is hard to meet by chance: the sample is changed in places, and its checksums are corrected.
    for (const bytes of [Buffer.from(input), changed(input)]) checkArchive(bytes)
  },
}

function checkArchive(bytes: Buffer): void {
  try {
    const { entries, refused } = readArchive(bytes)
    assert.ok(refused <= bytes.length / 512)
    const contentBytes = entries.reduce((sum, { content }) => sum + content.length, 0)
    assert.ok(contentBytes <= bytes.length * Math.max(1, entries.length), 'content is in the archive')
    for (const { path, mode, kind, target } of entries) {
      assert.ok(path.every(isName), 'each part is a name')
      assert.equal(mode & ~0o777, 0)
      assert.ok(kind === 'link' || target.length === 0)
    }
  } catch (error) {
    if (!isTermError(error)) throw error
    assert.equal(error.code, 'machine_unfit')
  }
}

function changed(input: Uint8Array): Buffer {
  const bytes = Buffer.from(sample)
  for (let at = 0; at + 3 <= input.length; at += 3) {
    const place = (((input[at] ?? 0) << 8) | (input[at + 1] ?? 0)) % bytes.length
    bytes[place] = input[at + 2] ?? 0
  }
  for (let at = 0; at + 512 <= bytes.length; at += 512) {
    const block = bytes.subarray(at, at + 512)
    block.fill(0x20, 148, 156)
    const sum = block.reduce((all, byte) => all + byte, 0)
    block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  }
  return bytes
}
