import { createECDH } from 'node:crypto'
import { pushPlainBytes } from '@agentpty/protocol/page'
import { expect, test } from 'vitest'
import { curve, encrypt, padded } from './encrypt.ts'

/** Appendix A of RFC 8291. */
const example = {
  text: 'When I grow up, I want to be a watermelon',
  senderPrivate: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
  browserPublic: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  salt: 'DGv6ra1nlYgDCS1FRnbzlw',
  body:
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_' +
    'yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
}

const bytes = (text: string) => Buffer.from(text, 'base64url')

test('a message is encrypted as in the example of RFC 8291', () => {
  const sender = createECDH(curve)
  sender.setPrivateKey(bytes(example.senderPrivate))
  const browser = { publicKey: bytes(example.browserPublic), auth: bytes(example.auth) }
  const body = encrypt(Buffer.from(example.text), browser, { sender, salt: bytes(example.salt) })
  expect(body.toString('base64url')).toBe(example.body)
})

test('all messages have the same size, and none is longer', () => {
  expect(padded('{"a":1}')).toHaveLength(pushPlainBytes)
  expect(JSON.parse(padded('{"a":1}').toString())).toEqual({ a: 1 })
  expect(() => padded('x'.repeat(pushPlainBytes + 1))).toThrow('bytes')
})

test('two messages of the same text have nothing in common', () => {
  const browser = { publicKey: bytes(example.browserPublic), auth: bytes(example.auth) }
  const [one, other] = [1, 2].map(() => encrypt(Buffer.from('same'), browser))
  expect(one?.subarray(0, 16)).not.toEqual(other?.subarray(0, 16))
  expect(one?.subarray(21, 86)).not.toEqual(other?.subarray(21, 86))
})
