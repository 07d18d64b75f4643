import type { Page } from './page.ts'

/** One section of a page, as the search finds it (browser/search.ts). */
export interface SearchEntry {
  id: number
  /** The title of the page. */
  page: string
  title: string
  /** The path in the site, with the section. */
  url: string
  text: string
}

/** Longer sections are cut: nobody searches for a word deep in a table of fields, and everybody loads the entries. */
const TEXT_CHARS_MAX = 1_200
/** Endpoints have tables and examples after their description. */
const ENDPOINT_CHARS_MAX = 330
/** A decision is found by its first sentences; the details are for those who read it. */
const DECISION_CHARS_MAX = 300
/** The section of an event is a sentence and the body of its webhook. */
const EVENT_CHARS_MAX = 150
const EVENT = /^[a-z]+\.[a-z_]+$/

/** Returns an entry for each section of each page. */
export function listSearchEntries(pages: readonly Page[]): SearchEntry[] {
  return pages.flatMap(sectionsOf).map((entry, id) => ({ id, ...entry }))
}

function sectionsOf({ path, title, html, headings }: Page): Omit<SearchEntry, 'id'>[] {
  const starts = headings.map(({ id }) => html.indexOf(` id="${id}"`))
  const cut = (from: number, to: number, charsMax = charsMaxOf(path)) =>
    plainText(html.slice(afterHeading(html, from), to)).slice(0, charsMax)
  const first = { page: title, title, url: path, text: cut(0, starts[0] ?? html.length) }
  const others = headings.map((heading, index) => ({
    page: title,
    title: heading.title,
    url: `${path}#${heading.id}`,
    text: cut(
      starts[index] ?? 0,
      starts[index + 1] ?? html.length,
      EVENT.test(heading.title) ? EVENT_CHARS_MAX : undefined,
    ),
  }))
  return [first, ...others]
}

function charsMaxOf(path: string): number {
  if (path.startsWith('api/')) return ENDPOINT_CHARS_MAX
  return path.startsWith('adr/') ? DECISION_CHARS_MAX : TEXT_CHARS_MAX
}

/** Returns the position after the heading of a section. Its text is the title of the entry. */
function afterHeading(html: string, from: number): number {
  const end = /<\/h\d>/.exec(html.slice(from))
  return end === null ? from : from + end.index + end[0].length
}

const ENTITIES: Readonly<Record<string, string>> = { quot: '"', lt: '<', gt: '>', amp: '&' }

/** Returns the text of HTML. */
function plainText(html: string): string {
  return html
    .replaceAll(/<p class="language">.*?<\/p>/g, '')
    .replaceAll(/<wbr>|<\/?(?:a|b|code|em|span|strong)\b[^>]*>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replace(/<[^>]*$/, '')
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll(/&(quot|lt|gt|amp);/g, (_, name: string) => ENTITIES[name] ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
