/** Browsers that may open the page. Other modules import this file alone. */

export { devicesFile } from './devices-file.ts'
export { deviceHandlers } from './handlers.ts'
export { KnownDevices } from './known-devices.ts'
