export { Device, DeviceAccess, type DeviceEvent, type Devices, type KeptDevice, KeptDevices } from './device.ts'
export {
  deviceNameCharactersMax,
  deviceSeenMs,
  devicesFileBytesMax,
  devicesMax,
  httpNamesMax,
  pageMessageBytesMax,
  pagePingMs,
  pageSocketsMax,
  signatureMs,
  signInBytesMax,
  signInCodesMax,
  unsignedSocketsMax,
  viewMsDefault,
  wrongCodesMax,
  wrongCodesMs,
} from './page-limits.ts'
export {
  closeCodes,
  type PageHello,
  type PageNotice,
  type PageSignIn,
  signedText,
  signInPath,
  tabName,
  wirePath,
} from './page-messages.ts'
