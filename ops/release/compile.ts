import { stripTypeScriptTypes } from 'node:module'

/** A relative path of a TypeScript file, as in imports and in URLs of thread entries. */
const MODULE_PATH = /(['"])(\.{1,2}\/[^'"\n]+)\.ts\1/g

/** A path from `src` to `packages`, which lies beside it in a clone and inside `dist` in the package. */
const PACKAGES_PATH = /(['"])\.\.\/((?:\.\.\/)*)(packages\/[^'"\n]+)\1/g

/** Comments that have lines of their own. Where one looks like that inside a text, compile.test.ts finds it. */
const COMMENT = /^[ \t]*(?:\/\*\*[\s\S]*?\*\/|\/\/[^\n]*)$/gm

/**
 * Returns the JavaScript of a source file. Types and comments become spaces, and `.js` is as long as `.ts`: every line and
 * column stays, so that stack traces name places of the sources without source maps.
 */
export function compile(source: string): string {
  return stripTypeScriptTypes(source, { mode: 'strip' })
    .replace(COMMENT, (comment) => comment.replace(/[^\n]/g, ' '))
    .replace(MODULE_PATH, '$1$2.js$1')
    .replace(PACKAGES_PATH, (path, quote: string, up: string, rest: string) =>
      `${quote}${up || './'}${rest}${quote}`.padEnd(path.length),
    )
}
