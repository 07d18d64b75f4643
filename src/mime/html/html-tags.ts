/** A start or end tag, as a browser reads it. */
export interface HtmlTag {
  /** In lower case. */
  name: string
  isEnd: boolean
  isSelfClosing: boolean
  /** Offset of its `<`. */
  from: number
  /** Offset behind its `>`. */
  to: number
  /** The requested attributes, the first of each name. */
  attributes: ReadonlyMap<string, HtmlAttribute>
}

/** The range of the value, without its quotes; `from` equals `to` if there is none. */
export interface HtmlAttribute {
  from: number
  to: number
}

/** Elements that contain only text up to their end tag (HTML, sections 13.2.6.2 and 13.2.6.4.7). */
const RAW = new Set(['style', 'script', 'xmp', 'iframe', 'noembed', 'noframes', 'title', 'textarea'])
const SPACE = /[\t\n\f\r ]*/y
/** Characters between attributes: a slash that does not end a tag is skipped. */
const GAP = /(?:[\t\n\f\r ]|\/(?!>))*/y
const TAG_NAME = /[^\t\n\f\r />]*/y
/** An equals sign may begin a name, but not continue it. */
const ATTRIBUTE_NAME = /=?[^\t\n\f\r />=]*/y
const BARE_VALUE = /[^\t\n\f\r >]*/y
const COMMENT_END = /--!?>/g
const SCRIPT_START = /<script[\t\n\f\r />]/i

/** Returns the end of a match of a sticky pattern that always matches. */
function skip(pattern: RegExp, html: string, from: number): number {
  pattern.lastIndex = from
  pattern.test(html)
  return pattern.lastIndex
}

/** Returns the offset after the next `end`, or -1 if there is none. */
function behind(html: string, end: string, from: number): number {
  const at = html.indexOf(end, from)
  return at < 0 ? -1 : at + end.length
}

/**
 * Calls `onTag` for each tag of the HTML, as a browser's tokenizer finds them (HTML, section 13.2.5), in linear time.
 * `attributeNames`: those to report, in lower case. Returns whether the HTML ends in text, so that HTML appended to it is
 * parsed as HTML.
 */
export function readHtmlTags(
  html: string,
  attributeNames: ReadonlySet<string>,
  onTag: (tag: HtmlTag) => void,
): boolean {
  let at = html.indexOf('<')
  while (at >= 0) {
    const next = html[at + 1] ?? ''
    let end = at + 1
    if (/[A-Za-z]/.test(next)) end = readTag(html, { at, isEnd: false, attributeNames }, onTag)
    else if (next === '!') end = endOfDeclaration(html, at + 2)
    else if (next === '?') end = behind(html, '>', at + 2)
    else if (next === '/') {
      if (/[A-Za-z]/.test(html[at + 2] ?? '')) end = readTag(html, { at, isEnd: true, attributeNames }, onTag)
      else if (at + 2 < html.length) end = behind(html, '>', at + 2)
    }
    if (end < 0) return false
    at = html.indexOf('<', end)
  }
  return !html.endsWith('</')
}

/**
 * Comments end in several ways (HTML, sections 13.2.5.43 to 13.2.5.52). All other declarations end at the first `>`.
 */
function endOfDeclaration(html: string, from: number): number {
  if (!html.startsWith('--', from)) return behind(html, '>', from)
  const start = from + 2
  if (html[start] === '>') return start + 1
  if (html.startsWith('->', start)) return start + 2
  COMMENT_END.lastIndex = start
  return COMMENT_END.test(html) ? COMMENT_END.lastIndex : -1
}

/**
 * Returns the offset after the tag, and after its element's content if that is only text. Returns -1 if the HTML ends
 * first.
 */
function readTag(
  html: string,
  { at: from, isEnd, attributeNames }: { at: number; isEnd: boolean; attributeNames: ReadonlySet<string> },
  onTag: (tag: HtmlTag) => void,
): number {
  const nameFrom = from + (isEnd ? 2 : 1)
  let at = skip(TAG_NAME, html, nameFrom)
  const name = html.slice(nameFrom, at).toLowerCase()
  const attributes = new Map<string, HtmlAttribute>()
  for (;;) {
    at = skip(GAP, html, at)
    if (at >= html.length) return -1
    if (html[at] === '>' || html[at] === '/') break
    at = readAttribute(html, at, (name, value) => {
      if (attributeNames.has(name) && !attributes.has(name)) attributes.set(name, value)
    })
    if (at < 0) return -1
  }
  const isSelfClosing = html[at] === '/'
  const end = at + (isSelfClosing ? 2 : 1)
  onTag({ name, isEnd, isSelfClosing, from, to: end, attributes })
  return isEnd ? end : endOfText(html, name, end)
}

/** Returns the offset after the attribute, or -1 if the HTML ends first. */
function readAttribute(
  html: string,
  from: number,
  onAttribute: (name: string, value: HtmlAttribute) => void,
): number {
  const nameEnd = skip(ATTRIBUTE_NAME, html, from)
  const record = (valueFrom: number, valueTo: number) =>
    onAttribute(html.slice(from, nameEnd).toLowerCase(), { from: valueFrom, to: valueTo })
  const equalsAt = skip(SPACE, html, nameEnd)
  if (html[equalsAt] !== '=') {
    record(nameEnd, nameEnd)
    return nameEnd
  }
  const at = skip(SPACE, html, equalsAt + 1)
  const quote = html[at]
  if (quote === '"' || quote === "'") {
    const end = behind(html, quote, at + 1)
    record(at + 1, end - 1)
    return end
  }
  const end = skip(BARE_VALUE, html, at)
  record(at, end)
  return end
}

/** Returns where markup continues after a start tag that ends at `from`, or -1 if the rest is text. */
function endOfText(html: string, name: string, from: number): number {
  if (name === 'plaintext') return -1
  if (!RAW.has(name)) return from
  const pattern = new RegExp(`</${name}(?=[\\t\\n\\f\\r />])`, 'gi')
  pattern.lastIndex = from
  const at = pattern.exec(html)?.index ?? -1
  // A script inside a comment inside a script hides its end (section 13.2.5.20). Real mail has none; the rest of the
  // HTML then stays unchanged.
  const text = name === 'script' && at >= 0 ? html.slice(from, at) : ''
  return text.includes('<!--') && SCRIPT_START.test(text) ? -1 : at
}
