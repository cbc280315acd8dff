/** Private files and folders, and questions about any others. Other modules import this file alone. */

export { isExecutable, readIfThere } from './plain-file.ts'
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
