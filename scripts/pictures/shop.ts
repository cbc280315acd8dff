/** The project in which the terminals of the pictures work: a small repository with a failing test, a build and a conflict. */

import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

/** The pictures show this path, so it names no user and no machine. */
export const shop = '/tmp/shop'

/** Git without the settings of the person who makes the pictures, and with the same names of commits each time. */
export const gitVariables: Readonly<Record<string, string>> = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_PAGER: 'cat',
  GIT_AUTHOR_NAME: 'Kim',
  GIT_AUTHOR_EMAIL: 'kim@shop.example',
  GIT_AUTHOR_DATE: '2026-01-01T12:00:00Z',
  GIT_COMMITTER_NAME: 'Kim',
  GIT_COMMITTER_EMAIL: 'kim@shop.example',
  GIT_COMMITTER_DATE: '2026-01-01T12:00:00Z',
}

const builtFiles = 42
const builtBytes = 32_000

/** The newest last. The state of money.mjs after each is that of the end: only the messages are shown. */
const history = ['Start the shop', 'Show prices in euros', 'Divide an amount without a rest', 'Add VAT to prices']

/** Errors: if the folder exists, because it may have another owner. */
export function createShop(): void {
  if (existsSync(shop)) throw new Error(`${shop} exists. Remove it: the pictures need this path.`)
  cpSync(join(import.meta.dirname, 'shop'), shop, { recursive: true })
  writeFileSync(join(shop, '.gitignore'), 'build\n')
  git('init', '--quiet', '--initial-branch', 'main')
  git('add', '.')
  for (const subject of history) git('commit', '--quiet', '--allow-empty', '--message', subject)
  changeOn('vat-16', '0.19', '0.16', 'Lower VAT for the second half of the year')
  changeOn('vat-reduced', '0.19', '0.07', 'Use the reduced VAT for books')
  build()
}

export function removeShop(): void {
  rmSync(shop, { recursive: true, force: true })
}

/** Commits a change to money.mjs on a new branch. Two such branches cannot be merged without a person. */
function changeOn(branch: string, before: string, after: string, subject: string): void {
  git('checkout', '--quiet', '-b', branch)
  const file = join(shop, 'money.mjs')
  writeFileSync(file, readFileSync(file, 'utf8').replace(before, after))
  git('commit', '--quiet', '--all', '--message', subject)
  git('checkout', '--quiet', 'main')
}

function build(): void {
  mkdirSync(join(shop, 'build'))
  for (let index = 0; index < builtFiles; index++)
    writeFileSync(join(shop, 'build', `chunk-${String(index).padStart(2, '0')}.js`), 'x'.repeat(builtBytes))
}

function git(...args: readonly string[]): void {
  execFileSync('git', [...args], { cwd: shop, env: { ...process.env, ...gitVariables } })
}
