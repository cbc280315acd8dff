import { devicesOf } from './steps/devices.ts'
import type { Handler } from './steps/handler.ts'

export const devices: Handler<'devices'> = async (engine) => ({
  devices: [...devicesOf(engine).list()],
})
