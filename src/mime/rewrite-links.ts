import { Tokenizer } from 'htmlparser2'

/** Far more than any email for people has; the rest stays as it is. */
const LINKS_MAX = 1000

export interface LinkRewriting {
  /** The address to write in place of one, which is given as a browser reads it; null leaves it as it stands. */
  rewrite(url: string): string | null
  /** Html to put at the end of the body. */
  append?: string
}

/** A part of the text to be replaced. */
interface Edit {
  from: number
  to: number
  text: string
}

/** The start tag that is being read. */
interface OpenTag {
  isLink: boolean
  isExempt: boolean
  attribute: string
  /** The first href; a later one is none (HTML, section 13.2.5.33). */
  href: { from: number; to: number; value: string } | null
}

const NO_TRACK = 'data-no-track'

/**
 * Replaces the addresses of links (`a` and `area`), and nothing else: every other octet of the html stays as it was. The
 * html is read by a parser, so that what only looks like a link (in comments, scripts, styles, other attributes) is
 * none. Links with the attribute `data-no-track` are left alone. Takes time in proportion to the html.
 */
export function rewriteLinks(html: string, { rewrite, append = '' }: LinkRewriting): string {
  const { links, bodyEnd } = findLinks(html)
  const edits: Edit[] = []
  for (const { from, to, value } of links) {
    const text = rewrite(value)
    if (text !== null) edits.push({ from, to, text: escapeAttribute(text) })
  }
  if (append !== '') edits.push({ from: bodyEnd, to: bodyEnd, text: append })
  return applyEdits(html, edits)
}

function findLinks(html: string): { links: { from: number; to: number; value: string }[]; bodyEnd: number } {
  const links: { from: number; to: number; value: string }[] = []
  let bodyEnd = html.length
  let tag: OpenTag | null = null
  const endTag = () => {
    if (tag?.isLink === true && !tag.isExempt && tag.href !== null && links.length < LINKS_MAX) {
      links.push(tag.href)
    }
    tag = null
  }
  const ignore = () => {}
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname(from, to) {
        const name = html.slice(from, to).toLowerCase()
        tag = { isLink: name === 'a' || name === 'area', isExempt: false, attribute: '', href: null }
      },
      onattribname(from, to) {
        if (tag === null) return
        const name = html.slice(from, to).toLowerCase()
        tag.attribute = name
        if (name === NO_TRACK) tag.isExempt = true
        if (name !== 'href') return
        if (tag.href !== null) tag.attribute = ''
        else tag.href = { from: valueStart(html, to), to: -1, value: '' }
      },
      onattribdata(from, to) {
        if (tag?.attribute === 'href' && tag.href !== null) tag.href.value += html.slice(from, to)
      },
      onattribentity(codePoint) {
        if (tag?.attribute === 'href' && tag.href !== null) tag.href.value += String.fromCodePoint(codePoint)
      },
      onattribend(_quote, end) {
        if (tag?.attribute === 'href' && tag.href !== null) tag.href.to = valueEnd(html, tag.href.from, end)
        if (tag !== null) tag.attribute = ''
      },
      onopentagend: endTag,
      onselfclosingtag: endTag,
      onclosetag(from, to) {
        // The last one: html that was put together from pieces may end its body more than once.
        if (/^body$/i.test(html.slice(from, to))) bodyEnd = html.lastIndexOf('<', from)
      },
      oncdata: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onend: ignore,
      onprocessinginstruction: ignore,
      ontext: ignore,
      ontextentity: ignore,
    },
  )
  tokenizer.write(html)
  tokenizer.end()
  return { links: links.filter(({ from, to }) => to >= from), bodyEnd }
}

const SPACE = /[\t\n\f\r ]/

/** Where the value of an attribute begins whose name ends at `at`, behind its quote. */
function valueStart(html: string, at: number): number {
  let from = at
  while (SPACE.test(html[from] ?? '')) from++
  if (html[from] === '=') from++
  while (SPACE.test(html[from] ?? '')) from++
  return html[from] === '"' || html[from] === "'" ? from + 1 : from
}

/** Where it ends, in front of its quote. */
function valueEnd(html: string, from: number, end: number): number {
  const quote = html[from - 1]
  return (quote === '"' || quote === "'") && html[end - 1] === quote && end > from ? end - 1 : end
}

/** Safe in either quotes and without any. */
function escapeAttribute(text: string): string {
  return text.replace(/[&"'<>=`\s]/g, (character) => `&#${character.charCodeAt(0)};`)
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
