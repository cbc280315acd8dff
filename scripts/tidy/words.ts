/** The names the glossary refuses. docs/glossary.md holds the table; this file only knows how to read and apply it. */
import path from 'node:path'
import { errorAt, isPackageSource, type Problem, type SourceFile } from './source.ts'

const glossaryPath = 'docs/glossary.md'
const heading = '## Names tidy refuses'

type Where = 'file' | 'folder' | 'identifier' | 'export'

interface Refusal {
  readonly word: string
  readonly where: readonly Where[]
  readonly instead: string
}

/** Compatibility doors speak the words of the systems they stand in for. */
const foreignWords = /^packages\/doors\//

export function wordRule(files: readonly SourceFile[]): Problem[] {
  const glossary = files.find((file) => file.path === glossaryPath)
  if (!glossary) return []
  const refusals = readRefusals(glossary.text)
  if (refusals.length === 0) return [errorAt(glossary, 0, `has no table below "${heading}"`)]
  return files
    .filter((file) => isPackageSource(file) && !foreignWords.test(file.path))
    .flatMap((file) => refusals.flatMap((refusal) => refusal.where.flatMap((where) => applied(file, refusal, where))))
}

/** Rows are `| word | where, where | say instead |`. */
export function readRefusals(markdown: string): Refusal[] {
  const start = markdown.indexOf(heading)
  if (start < 0) return []
  const section = markdown.slice(start + heading.length).split(/^## /m)[0] ?? ''
  return section
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\|[\s:|-]+$/.test(line))
    .slice(1)
    .flatMap((line) => {
      const [word = '', where = '', instead = ''] = line
        .split('|')
        .slice(1)
        .map((cell) => cell.trim().replaceAll('`', ''))
      return word ? [{ word, where: where.split(/,\s*/) as Where[], instead }] : []
    })
}

function applied(file: SourceFile, { word, instead }: Refusal, where: Where): Problem[] {
  const message = `${where} name "${word}" is not a word of this house; say ${instead}`
  const inFile = path.posix.basename(file.path).split(/[-.]/)
  const inFolders = path.posix.dirname(file.path).split('/')
  if (where === 'file') return inFile.includes(word) ? [errorAt(file, 0, message)] : []
  if (where === 'folder') return inFolders.includes(word) ? [errorAt(file, 0, message)] : []
  return [...file.text.matchAll(where === 'export' ? exportedName : declaredName)]
    .filter((match) => wordsOf(match.groups?.['name'] ?? '').includes(word))
    .map((match) => errorAt(file, match.index, message))
}

/** A name where it is declared: of a variable, a function, a type, a field or a parameter. */
const declaredName =
  /(?:\b(?:const|let|function|class|interface|type|readonly)\s+#?|^\s+(?:static\s+)?#?|[({,]\s*)(?<name>[A-Za-z_$][\w$]*)(?=\??\s*[:=(<{,)]|\s*\n)/gm
const exportedName =
  /^export\s+(?:async\s+)?(?:abstract\s+)?(?:const|let|function|class|interface|type)\s+(?<name>[\w$]+)/gm

/** `openPaneFor` and `open_pane` both contain the word "pane"; `panel` does not. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[\s_$]+/)
    .map((part) => part.toLowerCase())
}
