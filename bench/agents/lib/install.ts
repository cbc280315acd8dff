/** Installs the agent CLIs once, in the versions of package.json, in their own folder. */

import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { rosterRow } from '@agentpty/protocol/agents'
import type { AgentClient } from '../clients/client.ts'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const folder = path.join(root, '.clients')
const manifest = path.join(root, 'package.json')

export const programOf = ({ name }: AgentClient): string =>
  path.join(folder, 'node_modules', '.bin', rosterRow(name).agent.command[0])

/** Some are several hundred megabytes, so this takes a minute the first time. */
export function installClients(): void {
  const marker = path.join(folder, 'package.json')
  const installed = path.join(folder, 'node_modules', '.package-lock.json')
  const isCurrent = existsSync(installed) && existsSync(marker) && read(marker) === read(manifest)
  if (isCurrent) return
  mkdirSync(folder, { recursive: true })
  copyFileSync(manifest, marker)
  process.stderr.write('agents: installing the clients\n')
  // Their install scripts download their programs, whatever our project's setting for scripts is.
  const scripts = '--ignore-scripts=false'
  execFileSync('npm', ['install', scripts, '--silent', '--no-package-lock', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

const read = (file: string) => readFileSync(file, 'utf8')

export const versionOf = (client: AgentClient): string => {
  const { version } = JSON.parse(read(path.join(folder, 'node_modules', client.package, 'package.json')))
  return String(version)
}
