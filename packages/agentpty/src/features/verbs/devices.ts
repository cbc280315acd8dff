import type { Handler } from './steps/handler.ts'
import { devicesForPerson } from './steps/person-only.ts'

export const devices: Handler<'devices'> = async (engine, _input, context) => ({
  devices: [...devicesForPerson(engine, context).list()],
})
