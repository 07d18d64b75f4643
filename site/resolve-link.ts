import { statSync } from 'node:fs'
import { join, posix } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const { dirname, normalize, relative } = posix

/** Returns the path in the site of a document below `docs/`: `adr/README.md` becomes `adr/index.html`. */
export function pagePath(document: string): string {
  return document.replace(/README\.md$/, 'index.md').replace(/\.md$/, '.html')
}

/** Returns the URL that leads from one path of the site to another. A folder stands for its index. */
export function linkFrom(from: string, to: string): string {
  const url = relative(dirname(from), to).replace(/(^|\/)index\.html$/, '$1')
  return url === '' ? './' : url
}

/**
 * Resolves the links of one document. Documents become pages, and other files of the project become files of the site.
 * @param document below `docs/`
 * @param files receives the files that the document links to, by their paths in the site
 */
export function createLinkResolver(document: string, files: Map<string, string>) {
  const from = pagePath(document)
  /** Returns the URL for a page of the site, or null if there is nothing to link to. */
  return function resolveLink(href: string): string | null {
    if (href.startsWith('#') || /^[a-z][a-z0-9+.-]*:/i.test(href)) return href
    const [target = '', fragment] = href.split('#')
    const path = normalize(posix.join('docs', dirname(document), target))
    const hash = fragment === undefined ? '' : `#${fragment}`
    if (path.startsWith('docs/') && path.endsWith('.md')) {
      return linkFrom(from, pagePath(path.slice('docs/'.length))) + hash
    }
    const source = join(ROOT, path)
    if (path.startsWith('..') || statSync(source, { throwIfNoEntry: false })?.isFile() !== true) return null
    // The server does not serve files whose names start with a dot.
    const file = `files/${path.replaceAll(/(^|\/)\./g, '$1')}`
    files.set(file, source)
    return linkFrom(from, file)
  }
}
