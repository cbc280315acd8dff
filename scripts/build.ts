/**
 * Builds the published package: the C host, three bundles that share their chunks, and type declarations.
 *
 *   node --import tsx scripts/build.ts            all of it; of declarations that are old, new ones are made beside
 *   node --import tsx scripts/build.ts --types    ... and waits for them, checked; so it does with CI set
 *   node --import tsx scripts/build.ts --watch    rebuilds the bundles on every save
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import * as esbuild from 'esbuild'
import { nodeModulesIn, withoutNode } from './browser-bundle.ts'
import { bundlePage } from './build-page.ts'
import { provideTypes } from './declarations.ts'
import { directImports } from './direct-imports.ts'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const home = path.join(root, 'packages', 'agentpty')
const source = path.join(home, 'src')
const dist = path.join(home, 'dist')
const web = path.join(root, 'packages', 'web')
const native = path.join(root, 'native', 'ptyhost')

const entries = {
  main: path.join(source, 'compose', 'main.ts'),
  'command-line': path.join(source, 'compose', 'command-line.ts'),
  index: path.join(source, 'index.ts'),
  contracts: path.join(source, 'contracts.ts'),
  gym: path.join(source, 'gym.ts'),
  testing: path.join(source, 'testing.ts'),
}

const startedAt = new Date()
const watching = process.argv.includes('--watch')
const withTypes = process.argv.includes('--types') || Boolean(process.env.CI)

checkEntries()
mkdirSync(dist, { recursive: true })
say('compiling the C host')
buildHost()
bringFiles()
say('bundling the page')
await bundleViews()
await bundlePage({ source: web, target: path.join(dist, 'page'), version: version(), build: sourceHash(), fail })
say('bundling agentpty')
await bundle()
if (!watching) {
  const build = stamp()
  if (withTypes) say('checking the types')
  provideTypes(build, { isChecked: withTypes })
  say(`done in ${Math.round((Date.now() - startedAt.getTime()) / 1_000)} s`)
}

function checkEntries(): void {
  const missing = Object.values(entries).filter((file) => !existsSync(file))
  if (missing.length === 0) return
  fail(
    `these entries of the package do not exist:\n${missing.map((file) => `  ${path.relative(root, file)}`).join('\n')}`,
  )
}

function buildHost(): void {
  if (!existsSync(path.join(native, 'Makefile')))
    fail('native/ptyhost/Makefile does not exist, so there is no host to build')
  run('make', ['-s', '-C', native], 'The host needs make and a C compiler; `node scripts/bootstrap.mjs` installs both.')
  const target = path.join(dist, 'ptyhost')
  // Copied to a new file and renamed: a running host keeps its old file, and a busy executable cannot be overwritten.
  const fresh = `${target}.new`
  copyFileSync(path.join(native, 'build', 'ptyhost'), fresh)
  chmodSync(fresh, 0o755)
  renameSync(fresh, target)
}

/** The files for a package's page, and the sources from which machines without a prebuilt binary build their host. */
function bringFiles(): void {
  const brought = path.join(dist, 'native')
  rmSync(brought, { recursive: true, force: true })
  for (const text of ['README.md', 'LICENSE']) copyFileSync(path.join(root, text), path.join(home, text))
  for (const part of ['Makefile', 'src'])
    cpSync(path.join(native, part), path.join(brought, part), { recursive: true, preserveTimestamps: true })
  bringFonts()
}

/** The fonts for pictures, and their licence. */
function bringFonts(): void {
  const fonts = path.join(root, 'node_modules', 'dejavu-fonts-ttf')
  const target = path.join(dist, 'fonts')
  mkdirSync(target, { recursive: true })
  copyFileSync(path.join(fonts, 'LICENSE'), path.join(target, 'LICENSE'))
  for (const face of ['', '-Bold', '-Oblique'])
    copyFileSync(path.join(fonts, 'ttf', `DejaVuSansMono${face}.ttf`), path.join(target, `DejaVuSansMono${face}.ttf`))
}

/** Single-file pages, because they may load nothing: the page for MCP Apps hosts, and the player of a recording. */
async function bundleViews(): Promise<void> {
  await bundleView('terminal', 'terminal-view.html')
  await bundleView('player', 'player.html')
}

async function bundleView(name: string, target: string): Promise<void> {
  const view = path.join(home, 'view')
  const { outputFiles, metafile } = await esbuild
    .build({
      entryPoints: [path.join(view, `${name}.ts`)],
      bundle: true,
      plugins: [withoutNode],
      metafile: true,
      format: 'esm',
      target: 'es2022',
      minify: true,
      write: false,
      outdir: view,
      logLevel: 'warning',
    })
    .catch(() => fail(`the page ${target} was not written`))
  const foreign = nodeModulesIn(metafile)
  if (foreign.length > 0) fail(`the page ${target} uses ${foreign.join(', ')}, which browsers do not have`)
  const page = readFileSync(path.join(view, `${name}.html`), 'utf8')
  const partOf = (ending: string) => outputFiles.find(({ path: file }) => file.endsWith(ending))?.text.trim() ?? ''
  const whole = page.replace('/*style*/', () => partOf('.css')).replace('/*script*/', () => inDocument(partOf('.js')))
  writeFileSync(path.join(dist, target), whole)
}

/** A script inside a document must not close it. */
function inDocument(script: string): string {
  return script.replaceAll('</script', '<\\/script')
}

async function bundle(): Promise<void> {
  const options: esbuild.BuildOptions = {
    entryPoints: entries,
    outdir: dist,
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // It contains a binary for each machine, and may be missing.
    external: ['@resvg/resvg-js'],
    // Its other form loads its files by names that no bundler can see.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    splitting: true,
    plugins: [directImports(path.join(root, 'packages'))],
    minifySyntax: true,
    minifyWhitespace: true,
    // Node prints the source line of an uncaught error.
    lineLimit: 160,
    sourcemap: 'linked',
    legalComments: 'linked',
    metafile: true,
    logLevel: 'warning',
    // Bundled CommonJS packages call require('node:…'), which an ES module does not have.
    banner: {
      js: `import { createRequire as __createRequire } from 'node:module'\nconst require = __createRequire(import.meta.url)`,
    },
    define: { __AGENTPTY_VERSION__: JSON.stringify(version()), __AGENTPTY_BUILD__: JSON.stringify(sourceHash()) },
  }
  if (!watching) {
    const result = await esbuild.build(options).catch(() => fail('the bundle was not written'))
    removeStaleChunks(Object.keys(result.metafile?.outputs ?? {}))
    return
  }
  const context = await esbuild.context({ ...options, logLevel: 'info' })
  await context.watch()
}

/** Chunk names carry a hash, so without this every build would leave its predecessors in the published package. */
function removeStaleChunks(written: readonly string[]): void {
  const keep = new Set(written.map((file) => path.resolve(file)))
  const chunks = path.join(dist, 'chunks')
  if (!existsSync(chunks)) return
  for (const name of readdirSync(chunks)) {
    const file = path.join(chunks, name)
    if (!keep.has(file)) rmSync(file)
  }
}

/** `build.json` describes the build; its file time is the start of the build, by which freshness is judged. */
function stamp(): string {
  const file = path.join(dist, 'build.json')
  const build = sourceHash()
  writeFileSync(file, `${JSON.stringify({ version: version(), build })}\n`)
  utimesSync(file, startedAt, startedAt)
  return build
}

function version(): string {
  const { version } = JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8')) as { version: string }
  return version
}

/** The same sources give the same hash on every machine: sorted relative paths and contents, tests left out. */
function sourceHash(): string {
  const packages = readdirSync(path.join(root, 'packages')).filter((name) => name !== 'vscode')
  const files = [
    ...packages.flatMap((name) => filesBelow(path.join(root, 'packages', name, 'src'))),
    ...filesBelow(path.join(home, 'view')),
    ...filesBelow(native),
    path.join(web, 'index.html'),
  ]
    .filter((file) => !file.endsWith('.test.ts'))
    .sort()
  const hash = createHash('sha256')
  for (const file of files)
    hash
      .update(`${path.relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0')
  return hash.digest('hex').slice(0, 12)
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const full = path.join(folder, entry.name)
    if (!entry.isDirectory()) return [full]
    return /^build/.test(entry.name) ? [] : filesBelow(full)
  })
}

function run(program: string, args: readonly string[], hint = ''): void {
  const { status, error } = spawnSync(program, args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) fail(`${path.basename(program)} failed${error ? `: ${error.message}` : ''}. ${hint}`.trimEnd())
}

/** Each step takes seconds: a person sees which one runs. */
function say(step: string): void {
  process.stderr.write(`build: ${step}\n`)
}

function fail(message: string): never {
  process.stderr.write(`build: ${message}\n`)
  process.exit(1)
}
