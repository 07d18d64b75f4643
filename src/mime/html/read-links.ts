import { decodeReferences } from './html-references.ts'
import { readHtmlTags } from './html-tags.ts'

const ATTRIBUTES = new Set(['href'])

/** Returns the targets of the first `countMax` links (`a` and `area`), as a browser reads them. Takes linear time. */
export function readLinks(html: string, countMax: number): string[] {
  const links: string[] = []
  readHtmlTags(html, ATTRIBUTES, ({ name, isEnd, attributes }) => {
    const href = isEnd || (name !== 'a' && name !== 'area') ? undefined : attributes.get('href')
    if (href === undefined || links.length >= countMax) return
    links.push(decodeReferences(html.slice(href.from, href.to)).trim())
  })
  return links
}
