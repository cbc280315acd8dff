import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import site from '../../site/.vitepress/config.mjs'

interface Item {
  readonly link: string
}

test('every page of docs is in the side bar of the site', () => {
  const { sidebar } = site.themeConfig as { sidebar: readonly { readonly items: readonly Item[] }[] }
  const linked = new Set(sidebar.flatMap(({ items }) => items.map(({ link }) => link)))
  const pages = ['docs', 'docs/decisions'].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.md'))
      .map((name) => `/${folder}/${name.replace(/\.md$/, '')}`),
  )
  expect(pages.filter((page) => !linked.has(page))).toEqual([])
})
