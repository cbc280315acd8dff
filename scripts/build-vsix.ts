/**
 * Builds the extension of VS Code: packages/vscode/agentpty.vsix, which is a zip with two descriptions of itself.
 *
 *   node --import tsx scripts/build-vsix.ts
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import * as esbuild from 'esbuild'
import { strToU8, type Zippable, zipSync } from 'fflate'
import { nodeModulesIn, withoutNode } from './browser-bundle.ts'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const home = path.join(root, 'packages', 'vscode')
const bytesMax = 300_000

interface Manifest {
  readonly name: string
  readonly displayName: string
  readonly version: string
  readonly publisher: string
  readonly description: string
  readonly categories: readonly string[]
  readonly keywords: readonly string[]
  readonly extensionKind: readonly string[]
  readonly engines: { readonly vscode: string }
}

/** The content type of each file extension. */
const contentTypes: Readonly<Record<string, string>> = {
  json: 'application/json',
  svg: 'image/svg+xml',
  vsixmanifest: 'text/xml',
  cjs: 'text/plain',
  js: 'text/plain',
  md: 'text/plain',
  txt: 'text/plain',
}

const manifest = JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8')) as Manifest & Record<string, unknown>
const vsix = zipSync(await contents(), { level: 9, mtime: new Date('2000-01-01T00:00:00') })
if (vsix.length > bytesMax) fail(`it has ${vsix.length} bytes, and ${bytesMax} are the most`)
const target = path.join(home, 'agentpty.vsix')
writeFileSync(target, vsix)
process.stdout.write(`wrote ${path.relative(root, target)} (${Math.round(vsix.length / 1_000)} KB)\n`)

async function contents(): Promise<Zippable> {
  const file = (...parts: readonly string[]) => readFileSync(path.join(...parts))
  return {
    'extension.vsixmanifest': strToU8(description()),
    '[Content_Types].xml': strToU8(types()),
    'extension/package.json': strToU8(`${JSON.stringify(shipped(), null, 2)}\n`),
    'extension/extension.cjs': await bundle('extension.ts', { format: 'cjs', platform: 'node', target: 'node20' }),
    'extension/details.js': await bundle('details/view/show-details.ts', {
      format: 'iife',
      platform: 'browser',
      target: 'es2022',
    }),
    'extension/README.md': file(home, 'README.md'),
    'extension/LICENSE.txt': file(root, 'LICENSE'),
    ...media('media'),
  }
}

/** The pictures of the extension, in their folders. */
function media(folder: string): Zippable {
  const names = readdirSync(path.join(home, folder), { recursive: true, encoding: 'utf8' }).toSorted()
  return Object.fromEntries(
    names
      .filter((name) => name.endsWith('.svg'))
      .map((name) => [`extension/${folder}/${name}`, readFileSync(path.join(home, folder, name))]),
  )
}

/** The manifest that an editor reads. */
function shipped(): Record<string, unknown> {
  const { private: _private, devDependencies, type, ...rest } = manifest
  return rest
}

async function bundle(
  entry: string,
  kind: Pick<esbuild.BuildOptions, 'format' | 'platform' | 'target'>,
): Promise<Uint8Array> {
  const isForBrowser = kind.platform === 'browser'
  const { outputFiles, metafile } = await esbuild
    .build({
      entryPoints: [path.join(home, 'src', entry)],
      bundle: true,
      ...kind,
      plugins: isForBrowser ? [withoutNode] : [],
      metafile: true,
      external: ['vscode'],
      minify: true,
      write: false,
      legalComments: 'inline',
      logLevel: 'warning',
    })
    .catch(() => fail('the bundle was not written'))
  if (isForBrowser && nodeModulesIn(metafile).length > 0)
    fail(`${entry} uses ${nodeModulesIn(metafile).join(', ')}, which browsers do not have`)
  return outputFiles[0]?.contents ?? fail('there is no bundle')
}

function description(): string {
  const { name, displayName, version, publisher, categories, keywords, extensionKind, engines } = manifest
  const property = (id: string, value: string) => `<Property Id="Microsoft.VisualStudio.Code.${id}" Value="${value}"/>`
  const asset = (type: string, file: string) =>
    `<Asset Type="Microsoft.VisualStudio.${type}" Path="extension/${file}" Addressable="true"/>`
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${name}" Version="${version}" Publisher="${publisher}"/>
    <DisplayName>${escaped(displayName)}</DisplayName>
    <Description xml:space="preserve">${escaped(manifest.description)}</Description>
    <Tags>${escaped(keywords.join(','))}</Tags>
    <Categories>${escaped(categories.join(','))}</Categories>
    <GalleryFlags>Public</GalleryFlags>
    <License>extension/LICENSE.txt</License>
    <Properties>
      ${property('Engine', escaped(engines.vscode))}
      ${property('ExtensionKind', extensionKind.join(','))}
    </Properties>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets>
    ${asset('Code.Manifest', 'package.json')}
    ${asset('Services.Content.Details', 'README.md')}
    ${asset('Services.Content.License', 'LICENSE.txt')}
  </Assets>
</PackageManifest>
`
}

function types(): string {
  const rows = Object.entries(contentTypes).map(
    ([end, type]) => `  <Default Extension=".${end}" ContentType="${type}"/>`,
  )
  return `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
${rows.join('\n')}
</Types>
`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

function fail(message: string): never {
  process.stderr.write(`vsix: ${message}\n`)
  process.exit(1)
}
