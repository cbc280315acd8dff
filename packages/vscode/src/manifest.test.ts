import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const home = join(import.meta.dirname, '..')
const text = readFileSync(join(home, 'package.json'), 'utf8')
const { contributes } = JSON.parse(text) as {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string; readonly category: string }[]
    readonly configuration: readonly { readonly title: string; readonly properties: Record<string, object> }[]
    readonly menus: Readonly<Record<string, readonly { readonly command: string; readonly when: string }[]>>
    readonly walkthroughs: readonly { readonly steps: readonly Step[] }[]
  }
}

interface Step {
  readonly id: string
  readonly description: string
  readonly media: { readonly svg: string; readonly altText: string }
  readonly completionEvents: readonly string[]
}

const commands = contributes.commands.map(({ command }) => command)
const steps = contributes.walkthroughs.flatMap((one) => one.steps)
/** Commands of the editor and of views, which it makes itself. */
const ofEditor = new Set(['workbench.action.openSettings', 'agentpty.terminals.focus'])

test('every command in a link, a menu or an event exists', () => {
  const links = [...text.matchAll(/\(command:([\w.-]+)/g)].map(([, command = '']) => command)
  const events = [...text.matchAll(/onCommand:([\w.-]+)/g)].map(([, command = '']) => command)
  const menus = Object.values(contributes.menus).flatMap((items) => items.map(({ command }) => command))
  const used = new Set([...links, ...events, ...menus])
  const inner = new Set(['agentpty.answerSelected'])
  expect([...used].filter((one) => !commands.includes(one) && !ofEditor.has(one) && !inner.has(one))).toEqual([])
})

test('each step of the walkthrough has a picture, its words, a link, and an event that completes it', () => {
  expect(steps.map(({ id }) => id)).toEqual(['connect', 'terminal', 'agents', 'answer', 'watch'])
  for (const { description, media, completionEvents } of steps) {
    expect(existsSync(join(home, media.svg))).toBe(true)
    expect(media.altText).not.toBe('')
    expect(description).toContain('](command:')
    expect(completionEvents.length).toBeGreaterThan(0)
    // The editor’s policy for pictures ignores styles.
    expect(readFileSync(join(home, media.svg), 'utf8')).not.toContain('style')
  }
})

test('without a terminal in front, the palette begins with what a person needs first', () => {
  const whens = new Map(contributes.menus['commandPalette']?.map(({ command, when }) => [command, when]))
  const shown = contributes.commands
    .filter(({ command, category }) => category === 'agentpty' && isShown(whens.get(command)))
    .map(({ title }) => title)
  expect(shown.toSorted().slice(0, 4)).toEqual([
    'Answer What Needs You…',
    'Get Started',
    'New Terminal',
    'Open the Page in a Browser',
  ])
})

const isShown = (when: string | undefined): boolean => when === undefined || when === 'agentpty.connected'

test('each setting is in one group', () => {
  const names = contributes.configuration.flatMap(({ properties }) => Object.keys(properties))
  expect(new Set(names).size).toBe(names.length)
  expect(contributes.configuration.map(({ title }) => title)).toEqual([
    'Terminals',
    'Needs You',
    'Agents',
    'Connection',
    'Settings of terminal-agent',
  ])
})
