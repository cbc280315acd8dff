/** Builds the page: a document, and files named by their contents, each also in the compressed forms that browsers accept. */
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
  const written = [...worker.outputFiles, ...outputFiles].flatMap(({ path: file, contents }) =>
    writeForms(file, contents),
  )
  for (const name of readdirSync(assets)) if (!written.includes(name)) rmSync(path.join(assets, name))
  const entry = entryOf(metafile)
  if (entry === null) return fail('the page has no script or no style')
  const document = readFileSync(path.join(source, 'index.html'), 'utf8')
    .replace('{{script}}', `./assets/${path.basename(entry.script)}`)
    .replace('{{style}}', `./assets/${path.basename(entry.style)}`)
  writeFileSync(path.join(target, 'index.html'), document)
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

function entryOf({ outputs }: esbuild.Metafile): { readonly script: string; readonly style: string } | null {
  const found = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint?.endsWith('main.tsx'))
  const style = found?.[1].cssBundle
  return found === undefined || style === undefined ? null : { script: found[0], style }
}

/** Returns the written names. An existing file has the same contents, because they determine its name. */
function writeForms(file: string, contents: Uint8Array): string[] {
  const packed: readonly (readonly [string, () => Uint8Array])[] = [
    [`${file}.br`, () => brotliCompressSync(contents, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })],
    [`${file}.gz`, () => gzipSync(contents, { level: 9 })],
  ]
  const plain = [file, () => contents] as const
  // Licences are for people, and are not served.
  const forms = file.endsWith('.txt') ? [plain] : [plain, ...packed]
  for (const [name, make] of forms) if (!existsSync(name)) writeFileSync(name, make())
  return forms.map(([name]) => path.basename(name))
}
