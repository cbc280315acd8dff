import type { Handler } from '../../call/handler.ts'
import { devicesOf } from '../devices.ts'

export const devices: Handler<'devices'> = async (engine) => ({
  devices: [...devicesOf(engine).list()],
})
