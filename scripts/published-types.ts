/**
 * The declarations of the published package, from those that the compiler has made of each package of the workspace: the files that are reached from the
 * entries of agentpty. A name is taken from the file that declares it, and not from an entry, which would bring all others with it.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

export interface Packages {
  /** One folder for each package. */
  readonly compiled: string
  /** The folder of the package's manifest. */
  folderOf(name: string): string
}

/** `files` and all files reachable from them, below `target`. */
export function publishTypes({ compiled, folderOf }: Packages, files: readonly string[], target: string): void {
  const written = new Set<string>()
  const queue = [...files]
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (written.has(file)) continue
    written.add(file)
    const from = path.posix.dirname(file)
    mkdirSync(path.join(target, from), { recursive: true })
    writeFileSync(path.join(target, file), relinked(from, read(file)))
  }

  function relinked(from: string, text: string): string {
    const pathTo = (other: string) => {
      queue.push(other)
      const relative = path.posix.relative(from, other).replace(/\.d\.ts$/, '.ts')
      return relative.startsWith('.') ? relative : `./${relative}`
    }
    return text
      .replaceAll(lists, (_, keywords: string, names: string, specifier: string) =>
        [...byDeclaration(names, targetOf(from, specifier))]
          .map(([other, items]) => `${keywords} { ${items.join(', ')} } from '${pathTo(other)}';`)
          .join('\n'),
      )
      .replaceAll(importedTypes, (_, specifier: string, name: string) => {
        const [other, declared] = declarationOf(targetOf(from, specifier), name)
        return `import('${pathTo(other)}').${declared}`
      })
  }

  /** The items of a list, by the file that declares each. */
  function byDeclaration(names: string, file: string): ReadonlyMap<string, readonly string[]> {
    const found = new Map<string, string[]>()
    for (const item of itemsOf(names)) {
      const [other, declared] = declarationOf(file, item.name)
      const words = declared === item.as ? declared : `${declared} as ${item.as}`
      found.set(other, [...(found.get(other) ?? []), item.isType ? `type ${words}` : words])
    }
    return found
  }

  function declarationOf(file: string, name: string): readonly [file: string, name: string] {
    for (const [, keywords = '', names = '', specifier = ''] of read(file).matchAll(lists)) {
      const item = keywords.startsWith('export') ? itemsOf(names).find((one) => one.as === name) : undefined
      if (item !== undefined) return declarationOf(targetOf(path.posix.dirname(file), specifier), item.name)
    }
    return [file, name]
  }

  function targetOf(from: string, specifier: string): string {
    const file = specifier.startsWith('.') ? path.posix.join(from, specifier) : entryOf(specifier)
    return file.replace(/\.ts$/, '.d.ts')
  }

  function entryOf(specifier: string): string {
    const [, name = '', ...entry] = specifier.split('/')
    const { exports } = JSON.parse(readFileSync(path.join(folderOf(name), 'package.json'), 'utf8')) as Manifest
    const { [['.', ...entry].join('/')]: file } = exports
    if (file === undefined) throw new Error(`${specifier} is no entry of its package`)
    return path.posix.join(name, file.replace(/^\.\/src\//, ''))
  }

  function read(file: string): string {
    return readFileSync(path.join(compiled, file), 'utf8')
  }
}

interface Manifest {
  readonly exports: Readonly<Record<string, string>>
}

interface Item {
  readonly name: string
  readonly as: string
  readonly isType: boolean
}

const ours = String.raw`["']((?:\.{1,2}\/|@agentpty\/)[^"']+)["']`
const lists = new RegExp(String.raw`((?:import|export)(?: type)?) \{([^}]*)\} from ${ours};?`, 'g')
const importedTypes = new RegExp(String.raw`import\(${ours}\)\.(\w+)`, 'g')

function itemsOf(names: string): readonly Item[] {
  const items = names.split(',').map((item) => item.trim())
  return items
    .filter((item) => item !== '')
    .map((item) => {
      const [name = '', as = name] = item.replace(/^type /, '').split(' as ')
      return { name, as, isType: item.startsWith('type ') }
    })
}
