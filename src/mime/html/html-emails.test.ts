import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { compile } from 'html-to-text'
import PostalMime from 'postal-mime'
import { expect, test } from 'vitest'
import { textFromHtml } from './text-from-html.ts'

const FOLDER = new URL('../../../test/fixtures/html-emails/', import.meta.url)
const NAMES = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.html'))
  .map((name) => name.slice(0, -'.html'.length))
const htmlOf = (name: string) => readFileSync(new URL(`${name}.html`, FOLDER), 'utf8')

/** Html-to-text knows no styles: attributes that contain these are those of hidden elements. */
const HIDDEN = ['display:none', 'DISPLAY : NONE', 'visibility: hidden', 'max-height:0;overflow:hidden']
const SKIPPED = [
  ...HIDDEN.map((style) => `[style*="${style}"]`),
  ...['[hidden]', 'p[style="mso-hide:all"]', 'title', 'script', 'style'],
]
const htmlToText = compile({
  wordwrap: false,
  formatters: { alt: ({ attribs }, _walk, builder) => builder.addInline(` ${attribs.alt ?? ''} `) },
  selectors: [
    { selector: '*', format: 'inline' },
    ...['td', 'th', 'p', 'h1', 'dt', 'dd', 'li', 'option', 'textarea', 'button'].map((selector) => ({
      selector,
      format: 'block',
    })),
    ...['h2', 'h3', 'h4'].map((selector) => ({ selector, format: 'block' })),
    ...['img', 'area'].map((selector) => ({ selector, format: 'alt' })),
    { selector: 'a', options: { ignoreHref: true } },
    ...SKIPPED.map((selector) => ({ selector, format: 'skip' })),
  ],
})

/** Letters and digits only: converters differ in marks of lists, quotations and white space. */
const wordsOf = (text: string) => text.match(/[\p{L}\p{N}]+/gu) ?? []
/** The words of the email, without the addresses of links and numbers of items that the converter adds. */
const wordsOfText = (text: string) =>
  wordsOf(text.replace(/\[(?:https?|mailto|tel):[^\]\s]*\]/g, '').replace(/^ +\d+\. /gm, ''))

test.each(NAMES)('%s gives the text part of its fixture', async (name) => {
  await expect(`${textFromHtml(htmlOf(name))}\n`).toMatchFileSnapshot(
    fileURLToPath(new URL(`${name}.txt`, FOLDER)),
  )
})

/** It hides a `display:block` after `display:none`. */
test.each(NAMES.filter((name) => name !== 'verification-code'))(
  '%s: each visible word once and in order, as html-to-text reads it',
  (name) => {
    const html = htmlOf(name)
    expect(wordsOfText(textFromHtml(html)).join(' ')).toBe(wordsOfText(htmlToText(html)).join(' '))
  },
)

/** Postal-mime reads HTML as text only beside a plain part. */
const PART = 'Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n'

/** It reads no address that is not in quotes. */
test.each(NAMES.filter((name) => name !== 'unclosed-tags'))(
  '%s: no word that postal-mime does not read, and none twice',
  async (name) => {
    const html = htmlOf(name).replace(/<(?:img|area)[^>]*\balt="([^"]*)"[^>]*>/g, '<p>$1</p>')
    const { text } = await PostalMime.parse(
      `Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\n\n--b\n${PART}${html}\n--b--`,
    )
    let rest = wordsOf(text ?? '').join('')
    for (const word of wordsOfText(textFromHtml(htmlOf(name)))) {
      const at = rest.indexOf(word)
      expect(at, word).toBeGreaterThanOrEqual(0)
      rest = rest.slice(at + word.length)
    }
  },
)

test.each(NAMES)('%s: each address of a visible link once, in order', (name) => {
  const html = htmlOf(name).replace(/<!--.*?-->/gs, '')
  const links = [...html.matchAll(/<(?:a|area)\b[^>]*\bhref=(["']?)((?:https?|mailto):[^\s"'>]+)/gi)]
  const urls = links.map(([, , url = '']) => url.replaceAll('&amp;', '&').replace(/^mailto:([^?]*).*/, '$1'))
  let rest = textFromHtml(htmlOf(name))
  for (const url of urls) {
    const at = rest.indexOf(url)
    expect(at, url).toBeGreaterThanOrEqual(0)
    rest = rest.slice(at + url.length)
  }
})
