/** Browsers that may open the page. Other modules import this file alone. */

export { deviceHandlers } from './handlers.ts'
export { devicesFile, KnownDevices } from './known-devices.ts'
