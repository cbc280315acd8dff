/** Removes a folder that programs have written, whatever rights they gave it. */

import { chmod, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Nobody may be using it. One that is not there is removed already. */
export async function removeFolder(folder: string): Promise<void> {
  // Root may go everywhere. For others a folder that its owner has closed would stay, and an overlay leaves one.
  if (process.getuid?.() !== 0) await openAll(folder)
  await rm(folder, { recursive: true, force: true })
}

async function openAll(folder: string): Promise<void> {
  try {
    await chmod(folder, 0o700)
  } catch {
    // It is not there, or not ours: what cannot be removed is said by what removes.
    return
  }
  const entries = await readdir(folder, { withFileTypes: true })
  for (const entry of entries) if (entry.isDirectory()) await openAll(join(folder, entry.name))
}
