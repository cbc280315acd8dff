/** Private files and folders. Other modules import this file alone. */

export {
  createPrivate,
  isAbsent,
  isSetAside,
  namesIn,
  privateJsonFile,
  readPrivate,
  readPrivateJson,
  removeUnchanged,
  type SetAside,
  safeName,
  setAside,
  writePrivate,
} from './private-file.ts'
export { ensurePrivateFolder, publicProblem } from './private-folder.ts'
export { temporaryFolder } from './temporary-folder.ts'
