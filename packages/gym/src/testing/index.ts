export { readActions } from '../run/scripted-players.ts'
export { translateKeystrokes } from '../terminus-keystrokes.ts'
export { ArchiveWriter, readArchive } from '../tree/archive.ts'
export { isName } from '../tree/folder.ts'
