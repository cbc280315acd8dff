/** Builds the page: a document, and files named by their contents, each also in the compressed forms that browsers accept. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import * as esbuild from 'esbuild'
import { holdsPackage, nodeModulesIn, withoutNode } from './browser-bundle.ts'

export interface PageBuild {
  /** packages/web. */
  readonly source: string
  /** The folder to be served. */
  readonly target: string
  /** With these, the page detects that its daemon has another build. */
  readonly version: string
  readonly build: string
  readonly fail: (message: string) => never
}

export async function bundlePage({ source, target, version, build, fail }: PageBuild): Promise<void> {
  const assets = path.join(target, 'assets')
  mkdirSync(assets, { recursive: true })
  const names = { __AGENTPTY_VERSION__: JSON.stringify(version), __AGENTPTY_BUILD__: JSON.stringify(build) }
  const worker = await esbuild
    .build({ ...common(assets, names), entryPoints: { wall: path.join(source, 'src', 'wall', 'worker.ts') } })
    .catch(() => fail('the worker of the page was not written'))
  const workerFile = Object.keys(worker.metafile.outputs).find((file) => file.endsWith('.js'))
  if (workerFile === undefined) return fail('the page has no worker')
  const { metafile, outputFiles } = await esbuild
    .build({
      ...common(assets, { ...names, __AGENTPTY_WORKER__: JSON.stringify(`./assets/${path.basename(workerFile)}`) }),
      entryPoints: { page: path.join(source, 'src', 'main.tsx') },
      splitting: true,
    })
    .catch(() => fail('the page was not written'))
  const foreign = [...nodeModulesIn(worker.metafile), ...nodeModulesIn(metafile)]
  if (foreign.length > 0) return fail(`the page uses ${foreign.join(', ')}, which browsers do not have`)
  // Schemas compile code at run time, which the page's content policy refuses.
  if (holdsPackage(metafile, 'zod') || holdsPackage(worker.metafile, 'zod'))
    return fail('the page loads zod: a file that it uses holds a schema; move the schema into a file of its own')
  const icons = iconsOf(path.join(source, 'icons'), assets)
  const manifest = manifestOf(readFileSync(path.join(source, 'manifest.json'), 'utf8'), { assets, icons, fail })
  await writePushWorker({ source, target, version, build, fail }, icons)
  const written = [...worker.outputFiles, ...outputFiles, ...icons.values(), manifest].flatMap(
    ({ path: file, contents }) => writeForms(file, contents),
  )
  for (const name of readdirSync(assets)) if (!written.includes(name)) rmSync(path.join(assets, name))
  const entry = entryOf(metafile)
  if (entry === null) return fail('the page has no script or no style')
  const document = withIcons(readFileSync(path.join(source, 'index.html'), 'utf8'), { icons, folder: './assets', fail })
    .replace('{{manifest}}', addressOf(manifest))
    .replace('{{script}}', addressOf({ path: entry.script }))
    .replace('{{preload}}', entry.imports.map(preload).join('\n'))
    .replace('{{style}}', addressOf({ path: entry.style }))
  writeFileSync(path.join(target, 'index.html'), document)
}

interface NamedFile {
  readonly path: string
  readonly contents: Uint8Array
}

/** Relative to the document, because an editor may forward the page below a path of its own. */
const addressOf = ({ path: file }: Pick<NamedFile, 'path'>): string => `./assets/${path.basename(file)}`

function named(assets: string, name: string, contents: Uint8Array): NamedFile {
  const hash = createHash('sha256').update(contents).digest('hex').slice(0, 8).toUpperCase()
  const { name: stem, ext } = path.parse(name)
  return { path: path.join(assets, `${stem}-${hash}${ext}`), contents }
}

/** The icons by their names in the source. */
function iconsOf(folder: string, assets: string): ReadonlyMap<string, NamedFile> {
  const names = readdirSync(folder).filter((name) => path.extname(name) !== '')
  return new Map(names.map((name) => [name, named(assets, name, readFileSync(path.join(folder, name)))]))
}

type Icons = ReadonlyMap<string, NamedFile>

interface IconPlaces extends Pick<PageBuild, 'fail'> {
  readonly icons: Icons
  /** The folder of the icons, as seen from the file that names them. */
  readonly folder: string
}

/** Replaces `{{icon.svg}}` by the address of that icon. */
function withIcons(text: string, { icons, folder, fail }: IconPlaces): string {
  return text.replaceAll(/\{\{([\w-]+\.(?:svg|png))\}\}/g, (_, name) => {
    const icon = icons.get(name)
    return icon === undefined ? fail(`the page has no icon ${name}`) : `${folder}/${path.basename(icon.path)}`
  })
}

interface ManifestParts extends Pick<PageBuild, 'fail'> {
  readonly assets: string
  readonly icons: Icons
}

function manifestOf(text: string, { assets, icons, fail }: ManifestParts): NamedFile {
  const whole = JSON.stringify(JSON.parse(withIcons(text, { icons, folder: '.', fail })))
  return named(assets, 'agentpty.webmanifest', Buffer.from(whole))
}

/** The service worker has a constant name: browsers compare its contents at each visit. */
async function writePushWorker({ source, target, version, build, fail }: PageBuild, icons: Icons): Promise<void> {
  const icon = (name: string) => JSON.stringify(withIcons(`{{${name}}}`, { icons, folder: './assets', fail }))
  const { entryNames: _, ...options } = common(target, {
    __AGENTPTY_VERSION__: JSON.stringify(version),
    __AGENTPTY_BUILD__: JSON.stringify(build),
    __AGENTPTY_ICON__: icon('icon-192.png'),
    __AGENTPTY_BADGE__: icon('badge-96.png'),
  })
  const { metafile, outputFiles } = await esbuild
    .build({
      ...options,
      format: 'iife',
      entryPoints: { 'push-worker': path.join(source, 'src', 'push', 'worker.ts') },
    })
    .catch(() => fail('the service worker of the page was not written'))
  if (nodeModulesIn(metafile).length > 0) return fail('the service worker of the page uses modules of Node')
  for (const { path: file, contents } of outputFiles) writeFileSync(file, contents)
}

function common(outdir: string, define: Readonly<Record<string, string>>) {
  return {
    bundle: true,
    plugins: [withoutNode],
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    metafile: true,
    write: false,
    outdir,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    // Shipped next to the files, and not loaded with them.
    legalComments: 'external',
    logLevel: 'warning',
    define: { ...define },
  } satisfies esbuild.BuildOptions
}

interface PageEntry {
  readonly script: string
  readonly style: string
  /** The further scripts of the first load. */
  readonly imports: readonly string[]
}

function entryOf({ outputs }: esbuild.Metafile): PageEntry | null {
  const found = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint?.endsWith('main.tsx'))
  const style = found?.[1].cssBundle
  if (found === undefined || style === undefined) return null
  const [script] = found
  const loaded = new Set([script])
  // A set visits members that are added meanwhile.
  for (const file of loaded)
    for (const { path: imported, kind } of outputs[file]?.imports ?? [])
      if (kind === 'import-statement' && outputs[imported] !== undefined) loaded.add(imported)
  loaded.delete(script)
  return { script, style, imports: [...loaded] }
}

/** Browsers load it together with the script that imports it, not after it. */
const preload = (file: string): string => `<link rel="modulepreload" href="${addressOf({ path: file })}">`

/** Returns the written names. An existing file has the same contents, because they determine its name. */
function writeForms(file: string, contents: Uint8Array): string[] {
  const packed: readonly (readonly [string, () => Uint8Array])[] = [
    [`${file}.br`, () => brotliCompressSync(contents, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })],
    [`${file}.gz`, () => gzipSync(contents, { level: 9 })],
  ]
  const plain = [file, () => contents] as const
  // Licences are for people, and are not served. Pictures are compressed already.
  const forms = /\.(?:txt|png)$/.test(file) ? [plain] : [plain, ...packed]
  for (const [name, make] of forms) if (!existsSync(name)) writeFileSync(name, make())
  return forms.map(([name]) => path.basename(name))
}
