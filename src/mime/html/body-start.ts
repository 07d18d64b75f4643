import { type HtmlTag, readHtmlTags } from './html-tags.ts'

const NO_ATTRIBUTES: ReadonlySet<string> = new Set()
/** A document type can only stand at the start, perhaps after comments. An element before it would be worth quirks mode. */
const DOCTYPE = /<!doctype[^>]*>/iy
/** No head is longer, and reading all tags of a megabyte takes tens of milliseconds. */
const HEAD_CHARS_MAX = 256 * 1024
const SPACE = /\s*/y

/**
 * Returns the offset at which the content of the body begins: behind the first `<body>`; without one, behind the head, or the
 * start tag of the document, or its document type; in a fragment, 0. Tags in comments do not
 * count, nor do those that only follow after HEAD_CHARS_MAX.
 */
export function findBodyStart(html: string): number {
  let body: number | null = null
  let before = endOfDoctype(html)
  readHtmlTags(html.slice(0, HEAD_CHARS_MAX), NO_ATTRIBUTES, ({ name, isEnd, to }: HtmlTag) => {
    if (name === 'body' && !isEnd) body ??= to
    else if (body === null && isBeforeBody(name, isEnd)) before = to
  })
  return body ?? before
}

function isBeforeBody(name: string, isEnd: boolean): boolean {
  return (name === 'html' && !isEnd) || (name === 'head' && isEnd)
}

function endOfDoctype(html: string): number {
  SPACE.lastIndex = 0
  SPACE.test(html)
  DOCTYPE.lastIndex = SPACE.lastIndex
  return DOCTYPE.test(html) ? DOCTYPE.lastIndex : 0
}
