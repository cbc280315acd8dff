/** The measured setup: a separate daemon, a signed-in browser, and the resources of both. */

import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { launchBrowser } from '../../tests/harness/browser.ts'
import { Instance } from '../../tests/harness/instance.ts'

export interface Scene {
  readonly instance: Instance
  readonly context: BrowserContext
  /** The address of the page, without a path. */
  readonly base: string
  readonly browser: Browser
  close(): Promise<void>
}

/** `env`: additional variables of the daemon. */
export async function openScene(env: Readonly<Record<string, string>> = {}): Promise<Scene> {
  const instance = new Instance({ AGENTPTY_HTTP_PORT: '0', AGENTPTY_SESSIONS_MAX: '1200', ...env })
  const browser = await launchBrowser()
  const context = await browser.newContext({ viewport: { width: 1920, height: 1100 }, colorScheme: 'dark' })
  const page = await context.newPage()
  await page.goto((await instance.cli('open', '--print')).stdout.trim())
  await page.locator('.rail').waitFor()
  const base = new URL(page.url()).origin
  await page.close()
  return {
    instance,
    context,
    base,
    browser,
    close: async () => {
      await browser.close()
      await instance.stop()
    },
  }
}

/** Prints a line a second and draws a spinner five times a second, like a working agent. */
export const agentLike = [
  'perl',
  '-e',
  String.raw`$| = 1; my @s = split //, "|/-\\"; for (my $n = 0;; $n++) { print "\r\e[2K\e[38;5;", 30 + $n % 100, "m", $s[$n % 4], "\e[0m working on step $n (esc to interrupt)"; print "\r\e[2K\e[32m*\e[0m edited file_$n.ts \e[2m(+", $n % 9, " -1)\e[0m\n" if $n % 5 == 0; select undef, undef, undef, 0.2 }`,
]

export async function openTerminals(
  { instance }: Scene,
  count: number,
  command: readonly string[],
  named: string,
): Promise<readonly string[]> {
  const client = await instance.rpc()
  const ids: string[] = []
  for (let made = 0; made < count; made++) {
    const size = { cols: 80, rows: 24 }
    const opened = await client.call('create', {
      name: `${named}-${made}`,
      command: [...command],
      ...size,
      waitFor: 'none',
    })
    ids.push(opened.terminalId)
  }
  return ids
}

export interface Used {
  /** Percent of a core. */
  readonly cpu: number
  /** Proportional share of memory, MB. */
  readonly memory: number
}

/** The CPU of the browser's page processes, over this many seconds. */
export async function rendererUse(seconds: number): Promise<Used> {
  const pids = pidsOf('--type=renderer')
  const before = pids.map(ticks)
  await setTimeout(seconds * 1_000)
  const spent = pids.map((pid, at) => ticks(pid) - (before[at] ?? 0))
  const busiest = spent.indexOf(Math.max(...spent))
  return { cpu: (spent[busiest] ?? 0) / seconds, memory: pss(pids[busiest] ?? 0) }
}

function pidsOf(flag: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(flag)
      } catch {
        // Ended meanwhile.
        return false
      }
    })
}

/** A hundredth of a second each; none for a process that has ended. */
function ticks(pid: number): number {
  if (!existsSync(`/proc/${pid}/stat`)) return 0
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return Number(fields[11]) + Number(fields[12])
}

function pss(pid: number): number {
  const [, kb = '0'] = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? []
  return Number(kb) / 1_024
}

export function quantiles(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(1)
  return `p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)} (${sorted.length})`
}

export const load = (): string => execFileSync('cut', ['-d ', '-f1', '/proc/loadavg']).toString().trim()

export type { Page }
