/** The configuration of an instance, from its file and the environment. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { TermError } from '@agentpty/protocol'
import type { ConfigFile } from '@agentpty/protocol/home'

export function configPath(configFolder: string): string {
  return join(configFolder, 'config.yaml')
}

/** Null without a file. Errors: `environment` when the file cannot be read. */
export function readConfigFile(path: string): ConfigFile | null {
  try {
    return { path, text: readFileSync(path, 'utf8') }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw new TermError('environment', `${path} cannot be read: ${message}.`, 'Make it readable, or remove it.')
  }
}
