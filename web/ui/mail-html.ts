import { isTooDeep } from './mail-depth.ts'
import { parse, purify, withoutClobbering, write } from './mail-purify.ts'

/** Stands first in the frame: nothing is fetched, whatever the email says. The frame runs no script besides. */
const POLICY =
  "default-src 'none'; img-src data:; style-src 'unsafe-inline'; font-src data:; form-action 'none'; base-uri 'none'"
/** Pictures that are not there leave their room and their words. `:where` yields to whatever the email says itself. */
const STYLE = `:where(img:not([src])) { display: inline-block; min-width: 16px; min-height: 16px; box-sizing: border-box;
  outline: 1px dashed #8a919c; outline-offset: -1px; background: #8a919c22; font: 12px sans-serif; overflow: hidden }
:where(a[data-link]) { color: LinkText; text-decoration: underline; cursor: default }`
const TOO_DEEP = '<p>This email puts its parts too deep into each other to be shown.</p>'
const REMOTE = /^\s*(?:https?:)?\/\//i
const IMPORT = /@import[^;]*;?/gi
/** No bracket within: a style sheet of nothing but beginnings of addresses takes no longer than another. */
const CSS_ADDRESS = /url\(\s{0,9}(["']?)([^"'()]*)\1\s{0,9}\)/gi
/** Attributes that name a picture, by the elements that have them. */
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
  /** What it is shown on: light where the email says nothing of dark and sets colours of its own. */
  ground: Ground
  /** How many pictures of other hosts are not shown. */
  blockedCount: number
}

/**
 * The html of an email as a sandboxed frame shows it: nothing in it leads or reaches anywhere, and pictures that came with
 * it (`cid:`) are filled in. `images`: data: URLs by Content-ID. What the email says for dark and light grounds holds for
 * `wanted`, whatever the reader's own system prefers.
 */
export function prepareMailHtml(
  html: string,
  images: Readonly<Record<string, string>>,
  wanted: Ground,
): MailHtml {
  const ground = wanted === 'dark' && !isForDark(html) ? 'light' : wanted
  let blockedCount = 0
  const fill = (address: string): string | null => {
    const image = findImage(address, images)
    if (image !== null) return image
    if (REMOTE.test(address)) blockedCount += 1
    return address.trim().toLowerCase().startsWith('data:image/') ? address : null
  }
  const page = parseSettled(isTooDeep(html) ? TOO_DEEP : html, (parsed) => {
    for (const element of parsed.querySelectorAll('video')) element.removeAttribute('src')
    fillPictures(parsed, fill)
    fillStyles(parsed, fill, ground)
    disarmLinks(parsed)
  })
  addHead(page, ground)
  return { html: write(page), ground, blockedCount }
}

/** More often html of people does not change its meaning by being written anew. */
const ROUNDS_MAX = 4

/**
 * The document that the html stands for, cleaned. The frame reads what is written of it, and some html reads otherwise then:
 * an element leaves the style or the title that it hid in. So it is read and cleaned until nothing comes out any more; what
 * does not come to rest is shown as its words.
 */
function parseSettled(html: string, clean: (page: Document) => void): Document {
  const read = (text: string) => {
    const page = purify(text)
    clean(page)
    return page
  }
  let page = read(withoutClobbering(html))
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const written = write(page)
    page = read(written)
    if (write(page) === written) return page
  }
  const words = page.body.textContent
  page = parse('')
  page.body.textContent = words
  return page
}

/** Programs show an email dark that says how, or that leaves its ground to them. */
const isForDark = (html: string) => /color-scheme/i.test(html) || !/background|bgcolor/i.test(html)

/** Content-IDs are compared as they are written, with or without what they are quoted by. */
function findImage(address: string, images: Readonly<Record<string, string>>): string | null {
  if (!/^\s*cid:/i.test(address)) return null
  const id = address.trim().slice('cid:'.length)
  const names = [id, decoded(id)]
  const found = names.find((name) => Object.hasOwn(images, name))
  return found === undefined ? null : (images[found] ?? null)
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

/** Questions of media queries for the reader's colours, answered: by what always holds, and by what never does. */
const settleScheme = (css: string, ground: Ground) =>
  css.replace(/\(\s*prefers-color-scheme\s*(?::\s*(light|dark)\s*)?\)/gi, (_, asked: string | undefined) =>
    asked === undefined || asked.toLowerCase() === ground ? '(min-width: 0)' : '(max-width: 0)',
  )

/** A link says where it would lead, and leads nowhere. */
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
