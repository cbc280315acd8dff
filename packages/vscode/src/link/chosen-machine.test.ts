import { expect, test } from 'vitest'
import { ChosenMachine } from './chosen-machine.ts'
import type { OpenClient } from './connect.ts'

const far = 'http://far:17580'

function choose(first: string | null) {
  const opened: (string | null)[] = []
  const closed: (string | null)[] = []
  const entered: (string | null)[] = []
  const chosen = { address: first, opening: () => {} }
  const machine = new ChosenMachine({
    address: () => chosen.address,
    open: async (address) => {
      opened.push(address)
      chosen.opening()
      return { close: async () => void closed.push(address) } as unknown as OpenClient
    },
    enter: (address) => entered.push(address),
  })
  return { machine, chosen, opened, closed, entered }
}

test('calls enter once, when the machine has changed', async () => {
  const { machine, chosen, entered } = choose(null)
  await machine.open()
  await machine.open()
  expect(entered).toEqual([])
  chosen.address = far
  expect(machine.address).toBeNull()
  await machine.open()
  await machine.open()
  expect([entered, machine.address]).toEqual([[far], far])
})

test('a connection to a machine that is no longer set is closed and never used', async () => {
  const { machine, chosen, opened, closed, entered } = choose(far)
  chosen.opening = () => {
    chosen.address = null
  }
  await machine.open()
  expect({ opened, closed, entered }).toEqual({ opened: [far, null], closed: [far], entered: [null] })
})
