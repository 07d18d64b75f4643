import { cutMarkup } from './mail-cut.ts'
import { isTooDeep } from './mail-depth.ts'
import { parse, purify, withoutClobbering, write } from './mail-purify.ts'

/** Comes first in the document: nothing is loaded, whatever the email says. The sandbox prevents scripts as well. */
const POLICY =
  "default-src 'none'; img-src data:; style-src 'unsafe-inline'; font-src data:; form-action 'none'; base-uri 'none'"
/**
 * Blocked images keep their space and their alternative text. `:where` has no specificity, so the email's own styles
 * win.
 */
const STYLE = `:where(img:not([src])) { display: inline-block; min-width: 16px; min-height: 16px; box-sizing: border-box;
  outline: 1px dashed #8a919c; outline-offset: -1px; background: #8a919c22; font: 12px sans-serif; overflow: hidden }
:where(a[data-link]) { color: LinkText; text-decoration: underline; cursor: default }`
const TOO_DEEP = '<p>This email is nested too deeply to be shown.</p>'
const REMOTE = /^\s*(?:https?:)?\/\//i
const IMPORT = /@import[^;]*;?/gi
/** Excludes brackets, so that a style sheet of nothing but `url(` prefixes takes no longer to match than another. */
const CSS_ADDRESS = /url\(\s{0,9}(["']?)([^"'()]*)\1\s{0,9}\)/gi
/** Attributes that name an image, by the elements that have them. */
const PICTURES: readonly [selector: string, attribute: string][] = [
  ['img, input', 'src'],
  ['[background]', 'background'],
  ['video', 'poster'],
  ['image, use, feImage', 'href'],
  ['image, use, feImage', 'xlink:href'],
]

export type Ground = 'light' | 'dark'

export interface MailHtml {
  html: string
  /** The background of the preview. Light when the email sets colours but does not mention dark mode. */
  ground: Ground
  /** Number of remote images that are not shown. */
  blockedCount: number
  /** Whether the email is too long, and only its beginning is shown. */
  isCut: boolean
}

/**
 * Prepares the HTML of an email for a sandboxed frame: links lead nowhere, nothing is loaded, and inline images
 * (`cid:`) are filled in. `images` has data: URLs by Content-ID. The email's styles for light and dark follow `wanted`,
 * whatever the user's system prefers.
 */
export function prepareMailHtml(
  source: string,
  images: Readonly<Record<string, string>>,
  preferred: Ground,
): MailHtml {
  const html = cutMarkup(source)
  const ground = preferred === 'dark' && !isForDark(html) ? 'light' : preferred
  let blockedCount = 0
  const fill = (address: string): string | null => {
    const image = findImage(address, images)
    if (image !== null) return image
    if (REMOTE.test(address)) blockedCount += 1
    return address.trim().toLowerCase().startsWith('data:image/') ? address : null
  }
  const page = parseSettled(isTooDeep(html) ? TOO_DEEP : html, (page) => {
    for (const element of page.querySelectorAll('video')) element.removeAttribute('src')
    fillPictures(page, fill)
    fillStyles(page, fill, ground)
    disarmLinks(page)
  })
  addHead(page, ground)
  return { html: write(page), ground, blockedCount, isCut: html.length < source.length }
}

/** HTML of ordinary emails is stable after fewer rounds. */
const ROUNDS_MAX = 4

/**
 * Parses and cleans the HTML. The frame parses the serialized document again, and some HTML then means something else:
 * an element escapes from the style or title that contained it. So the document is serialized, parsed and cleaned until
 * it no longer changes. If it never settles, only its text is shown.
 */
function parseSettled(html: string, clean: (page: Document) => void): Document {
  const parseClean = (text: string) => {
    const page = purify(text)
    clean(page)
    return page
  }
  let page = parseClean(withoutClobbering(html))
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const output = write(page)
    page = parseClean(output)
    if (write(page) === output) return page
  }
  const words = page.body.textContent
  page = parse('')
  page.body.textContent = words
  return page
}

/** Mail programs show an email in dark when it mentions colour schemes, or sets no background. */
const isForDark = (html: string) => /color-scheme/i.test(html) || !/background|bgcolor/i.test(html)

/** Finds an inline image by its Content-ID, as written or percent-decoded. */
function findImage(address: string, images: Readonly<Record<string, string>>): string | null {
  if (!/^\s*cid:/i.test(address)) return null
  const id = address.trim().slice('cid:'.length)
  const names = [id, decoded(id)]
  const name = names.find((name) => Object.hasOwn(images, name))
  return name === undefined ? null : (images[name] ?? null)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

type Fill = (address: string) => string | null

function fillPictures(page: Document, fill: Fill): void {
  for (const [selector, attribute] of PICTURES) {
    for (const element of page.querySelectorAll(selector)) {
      const address = element.getAttribute(attribute)
      if (address === null || (attribute.endsWith('href') && address.startsWith('#'))) continue
      const picture = fill(address)
      if (picture === null) element.removeAttribute(attribute)
      else element.setAttribute(attribute, picture)
    }
  }
}

function fillStyles(page: Document, fill: Fill, ground: Ground): void {
  const replace = (css: string) =>
    css.replace(CSS_ADDRESS, (_, _quote: string, address: string) => {
      const picture = fill(address)
      return picture === null ? 'none' : `url("${picture.replace(/["\\\n]/g, '')}")`
    })
  for (const element of page.querySelectorAll('style'))
    element.textContent = replace(settleScheme(element.textContent.replace(IMPORT, ''), ground))
  for (const element of page.querySelectorAll('style[media]'))
    element.setAttribute('media', settleScheme(element.getAttribute('media') ?? '', ground))
  for (const element of page.querySelectorAll('[style]'))
    element.setAttribute('style', replace(element.getAttribute('style') ?? ''))
}

/** Replaces media queries for the user's colour scheme with conditions that are always true or never true. */
const settleScheme = (css: string, ground: Ground) =>
  css.replace(/\(\s*prefers-color-scheme\s*(?::\s*(light|dark)\s*)?\)/gi, (_, scheme: string | undefined) =>
    scheme === undefined || scheme.toLowerCase() === ground ? '(min-width: 0)' : '(max-width: 0)',
  )

/** Removes the targets of links and shows them as tooltips. */
function disarmLinks(page: Document): void {
  for (const element of page.querySelectorAll('a, area')) {
    const address = element.getAttribute('href') ?? element.getAttribute('xlink:href')
    for (const attribute of ['href', 'xlink:href', 'ping', 'target']) element.removeAttribute(attribute)
    if (address === null) continue
    element.setAttribute('data-link', '')
    element.setAttribute('title', address)
  }
}

function addHead(page: Document, ground: Ground): void {
  const style = page.createElement('style')
  style.textContent = `:root { color-scheme: ${ground} !important }\n${STYLE}`
  const policy = page.createElement('meta')
  policy.setAttribute('http-equiv', 'Content-Security-Policy')
  policy.setAttribute('content', POLICY)
  page.head.prepend(policy, style)
}
