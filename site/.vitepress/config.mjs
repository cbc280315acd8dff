/** The documentation as a site: README as its first page, every page of docs/, and full-text search. The build fails at a dead link. */

import { execFileSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')

/** VitePress finds its own packages only beside the pages, so they are copied into its folder. */
const pages = join(root, 'site', '.cache', 'pages')

function copyPages() {
  const listed = execFileSync('git', ['ls-files', '*.md', 'docs/pictures'], { cwd: root, encoding: 'utf8' })
  rmSync(pages, { recursive: true, force: true })
  for (const file of listed.trim().split('\n')) {
    if (/^(?:packages|tests|native)\//.test(file)) continue
    cpSync(join(root, file), join(pages, file), { recursive: true })
  }
}

/** The title of a page is its first heading. */
const titleOf = (path) => /^# (.+)$/m.exec(readFileSync(join(root, path), 'utf8'))?.[1] ?? path

const item = (path) => ({ text: titleOf(path), link: `/${path.replace(/\.md$/, '')}` })
const docs = (...names) => names.map((name) => item(`docs/${name}.md`))

const groups = [
  {
    text: 'Use agentpty',
    items: [{ text: 'Start', link: '/' }, ...docs('clients', 'tools', 'waiting', 'sessions', 'cli')],
  },
  { text: 'Watch and decide', items: docs('page', 'vscode', 'notifications', 'recordings', 'audit') },
  { text: 'Stay safe', items: docs('policy', 'effects', 'security') },
  { text: 'Agents', items: docs('agents', 'pipelines', 'gym') },
  { text: 'Move and compare', items: docs('beside', 'migrate', 'doors', 'bench') },
  {
    text: 'Build on it',
    items: [
      ...docs('streams', 'screen', 'glossary'),
      item('examples/README.md'),
      item('ARCHITECTURE.md'),
      item('CONTRIBUTING.md'),
    ],
  },
]
/** The pages are plain Markdown: braces and angle brackets in them are text, not Vue. */
function withoutVue(md) {
  const inline = md.renderer.rules.code_inline
  md.renderer.rules.code_inline = (tokens, at, ...rest) => {
    tokens[at].attrSet('v-pre', '')
    return inline(tokens, at, ...rest)
  }
  const text = md.renderer.rules.text
  md.renderer.rules.text = (...all) => text(...all).replaceAll('{{', '&#123;&#123;')
}

const decisions = readdirSync(join(root, 'docs', 'decisions'))
  .filter((name) => name.endsWith('.md'))
  .sort()

// A test reads the side bar only.
if (process.argv.includes('build')) copyPages()

export default {
  title: 'agentpty',
  description: 'Real terminals for AI agents, and for the people who watch them.',
  srcDir: pages,
  outDir: join(root, 'site', 'dist'),
  cacheDir: join(root, 'site', '.cache', 'vite'),
  rewrites: { 'README.md': 'index.md' },
  cleanUrls: true,
  // Sources are no pages of the site.
  ignoreDeadLinks: [
    /\.(?:ts|mjs|c|h|py|json|yaml|grit)$/,
    /^(?:\.\/|\.\.\/)*(?:examples|tests|packages|native|scripts|bench)\/[\w./-]*$/,
  ],
  markdown: { config: withoutVue },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar: [
      ...groups,
      { text: 'Decisions', collapsed: true, items: decisions.map((name) => item(`docs/decisions/${name}`)) },
    ],
  },
}
