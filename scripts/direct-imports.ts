/**
 * In the bundle, modules import from the files that define what they need, not from the index that names it.
 *
 * esbuild splits code by files and keeps what any entry uses: a module that takes one name from an index would load every
 * file that the index names, and a command would build the schemas of all verbs before it does anything.
 */

import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'esbuild'

/** A name, and the file that defines it. */
interface Definition {
  readonly file: string
  readonly name: string
}

const reExport = /export (?:type )?\{([^}]*)\} from '([^']+)'\s*/g
const namedImport = /^import \{([^}]*)\} from '([^']+)'$/gm
const comment = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm

/** `packages`: the folder with the packages of this repository. */
export function directImports(packages: string): Plugin {
  const indexes = new Map<string, ReadonlyMap<string, Definition> | null>()

  /** Returns the file that a module imports; null for a module of another project. */
  const fileOf = (wanted: string, importer: string): string | null => {
    if (wanted.startsWith('.')) return path.resolve(path.dirname(importer), wanted)
    const [, name = '', rest = ''] = /^@agentpty\/([^/]+)(\/.+)?$/.exec(wanted) ?? []
    const manifest = path.join(packages, name, 'package.json')
    if (name === '' || !existsSync(manifest)) return null
    const { exports = {} } = JSON.parse(readFileSync(manifest, 'utf8')) as { exports?: Record<string, string> }
    const target = exports[`.${rest}`]
    return target === undefined ? null : path.join(packages, name, target)
  }

  /** Returns the definitions of what an index exports; null for a file that does anything else. */
  const definitionsOf = (index: string): ReadonlyMap<string, Definition> | null => {
    const known = indexes.get(index)
    if (known !== undefined) return known
    const text = readFileSync(index, 'utf8').replaceAll(comment, '')
    const isIndex = text.replaceAll(reExport, '').trim() === ''
    const found = isIndex ? new Map([...text.matchAll(reExport)].flatMap((one) => exported(one, index))) : null
    indexes.set(index, found)
    return found
  }

  const exported = ([, names = '', from = '']: RegExpMatchArray, index: string): [string, Definition][] => {
    const file = fileOf(from, index)
    if (file === null) throw new Error(`${index} exports from ${from}, which is no file of this project.`)
    return bindings(names).map(([name, as]) => [as, definitionsOf(file)?.get(name) ?? { file, name }])
  }

  const redirect = (statement: string, names: string, from: string, importer: string): string => {
    const index = fileOf(from, importer)
    const definitions = index === null ? null : definitionsOf(index)
    if (definitions === null) return statement
    const imports = bindings(names).map(([name, as]) => {
      const found = definitions.get(name)
      if (found === undefined) throw new Error(`${from} does not export ${name}, which ${importer} imports.`)
      return `import { ${found.name} as ${as} } from ${JSON.stringify(found.file)}`
    })
    // Lines keep their numbers.
    return imports.join(';') + '\n'.repeat(statement.split('\n').length - 1)
  }

  return {
    name: 'direct-imports',
    setup(build) {
      build.onLoad({ filter: /\.tsx?$/ }, ({ path: file }) => {
        if (!file.startsWith(packages)) return undefined
        const contents = readFileSync(file, 'utf8').replaceAll(namedImport, (statement, names: string, from: string) =>
          redirect(statement, names, from, file),
        )
        return { contents, loader: file.endsWith('x') ? 'tsx' : 'ts', resolveDir: path.dirname(file) }
      })
    },
  }
}

/** Names and the names they get, without types: they are gone in the bundle. */
function bindings(names: string): [name: string, as: string][] {
  const all = names.split(',').map((name) => name.trim())
  return all
    .filter((name) => name !== '' && !name.startsWith('type '))
    .map((name) => {
      const [original = '', as = original] = name.split(' as ')
      return [original, as]
    })
}
