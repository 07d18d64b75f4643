import { decodeReferences } from './html-references.ts'
import { type HtmlAttribute, type HtmlTag, readTags } from './html-tags.ts'

const NO_TRACK = 'data-no-track'
const ATTRIBUTES = new Set(['href', NO_TRACK])
/** Longer ones are no addresses, whatever references they are written with. */
const HREF_LENGTH_MAX = 16 * 1024
/** Far more than any email for people has; the rest stays as it is. */
const LINKS_MAX = 1000

export interface LinkRewriting {
  /** The address to write in place of one, which is given as a browser reads it; null leaves it as it stands. */
  rewrite(url: string): string | null
  /** Html to put at the end of the body; left out where it would not be read as html. */
  append?: string
}

/** A part of the text to be replaced. */
interface Edit {
  from: number
  to: number
  text: string
}

/**
 * Replaces the addresses of links (`a` and `area`), and nothing else: every other octet of the html stays as it was. The
 * html is read as browsers read it, so that what only looks like a link (in comments, scripts, styles, other attributes)
 * is none. Links with the attribute `data-no-track` are left alone, and so are those inside drawings and formulas, where
 * other rules hold. Takes time in proportion to the html.
 */
export function rewriteLinks(html: string, { rewrite, append = '' }: LinkRewriting): string {
  const { links, bodyEnd } = findLinks(html)
  const edits: Edit[] = []
  for (const { from, to } of links) {
    const text = rewrite(decodeReferences(html.slice(from, to)))
    if (text !== null) edits.push({ from, to, text: escapeAttribute(text) })
  }
  if (append !== '' && bodyEnd !== null) edits.push({ from: bodyEnd, to: bodyEnd, text: append })
  return applyEdits(html, edits)
}

function findLinks(html: string): { links: HtmlAttribute[]; bodyEnd: number | null } {
  const links: HtmlAttribute[] = []
  let bodyEnd: number | null = null
  const depths = new Map([
    ['svg', 0],
    ['math', 0],
  ])
  const isForeign = () => [...depths.values()].some((depth) => depth > 0)
  const endsInText = readTags(html, ATTRIBUTES, (tag) => {
    const depth = depths.get(tag.name)
    if (depth !== undefined) depths.set(tag.name, Math.max(0, depth + stepOf(tag)))
    if (isForeign()) return
    // The last one: html that was put together from pieces may end its body more than once.
    if (tag.isEnd && tag.name === 'body') bodyEnd = tag.from
    const link = linkOf(tag)
    if (link !== null && links.length < LINKS_MAX) links.push(link)
  })
  return { links, bodyEnd: bodyEnd ?? (endsInText && !isForeign() ? html.length : null) }
}

function stepOf({ isEnd, isSelfClosing }: HtmlTag): number {
  if (isEnd) return -1
  return isSelfClosing ? 0 : 1
}

function linkOf({ name, isEnd, attributes }: HtmlTag): HtmlAttribute | null {
  const isLink = !isEnd && (name === 'a' || name === 'area') && !attributes.has(NO_TRACK)
  const href = isLink ? attributes.get('href') : undefined
  return href === undefined || href.from === href.to || href.to - href.from > HREF_LENGTH_MAX ? null : href
}

/** Safe in either quotes and without any. */
function escapeAttribute(text: string): string {
  return text.replace(/[&"'<>`\s]/g, (character) =>
    character === '&' ? '&amp;' : `&#${character.charCodeAt(0)};`,
  )
}

function applyEdits(html: string, edits: readonly Edit[]): string {
  const parts: string[] = []
  let at = 0
  for (const { from, to, text } of [...edits].sort((a, b) => a.from - b.from)) {
    parts.push(html.slice(at, from), text)
    at = to
  }
  parts.push(html.slice(at))
  return parts.join('')
}
