import { decodeReferences } from './html-references.ts'
import { type HtmlAttribute, type HtmlTag, readHtmlTags } from './html-tags.ts'

const NO_TRACK = 'data-no-track'
const ATTRIBUTES = new Set(['href', NO_TRACK])
/** A longer value is not a link, however its references are written. */
const HREF_LENGTH_MAX = 16 * 1024
/** Far more than a real email has. Further links stay unchanged. */
const LINKS_MAX = 1000

export interface LinkRewriting {
  /** Returns the replacement for a link, or null to leave it unchanged. The link is passed as a browser reads it. */
  rewrite(url: string): string | null
  /** HTML to append to the body; omitted where it would not be parsed as HTML. */
  append?: string
}

/** A part of the text to replace. */
interface Edit {
  from: number
  to: number
  text: string
}

/**
 * Replaces the addresses of links (`a` and `area`); every other octet of the HTML stays unchanged. The HTML is parsed
 * as browsers do, so that text that only looks like a link (in comments, scripts, styles, other attributes) is ignored.
 * Links with the attribute `data-no-track` are left alone, and so are those inside SVG and MathML, where other rules
 * apply. Takes linear time.
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
  const endsInText = readHtmlTags(html, ATTRIBUTES, (tag) => {
    const depth = depths.get(tag.name)
    if (depth !== undefined) depths.set(tag.name, Math.max(0, depth + stepOf(tag)))
    if (isForeign()) return
    // The last one: concatenated HTML may end its body more than once.
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

/** Escapes an attribute value so that it is safe in either kind of quotes and without quotes. */
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
