/** The fonts that pictures are drawn with: those of the package, and those that the user has put into the folder `fonts` of the configuration. */

import { join } from 'node:path'
import { namesIn } from '../files/index.ts'

const ownFontsMax = 16

/** Those of the package first. */
export function fontFiles(packageFolder: string, configFolder: string | null): readonly string[] {
  const own = configFolder === null ? [] : fontsIn(join(configFolder, 'fonts'))
  return [...fontsIn(packageFolder), ...own.slice(0, ownFontsMax)]
}

function fontsIn(folder: string): readonly string[] {
  const names = namesIn(folder).filter((name) => /\.(?:ttf|otf|ttc)$/i.test(name))
  return names.toSorted().map((name) => join(folder, name))
}
