/** Private files and folders. Other modules import this file alone. */

export {
  createPrivate,
  ensurePrivateFolder,
  isAbsent,
  isSetAside,
  namesIn,
  privateJsonFile,
  publicProblem,
  readPrivate,
  readPrivateJson,
  removeUnchanged,
  type SetAside,
  safeName,
  setAside,
  writePrivate,
} from './private-file.ts'
export { temporaryFolder } from './temporary-folder.ts'
