import { expect, test } from 'vitest'
import { rewriteLinks } from './rewrite-links.ts'

const rewritten = (html: string, append?: string) =>
  rewriteLinks(html, {
    rewrite: (url) => (/^https?:/.test(url) ? `https://t.test/${url.length}` : null),
    ...(append === undefined ? {} : { append }),
  })

const CASES: [title: string, given: string, expected: string][] = [
  ['in double quotes', '<a href="http://x.test">x</a>', '<a href="https://t.test/13">x</a>'],
  ['in single quotes', "<A HREF = 'http://x.test' >x</A>", "<A HREF = 'https://t.test/13' >x</A>"],
  ['without quotes', '<a href=http://x.test>x</a>', '<a href=https://t.test/13>x</a>'],
  [
    'over several lines',
    '<a\nclass=b\nhref\n=\n"http://x.test"\n>',
    '<a\nclass=b\nhref\n=\n"https://t.test/13"\n>',
  ],
  ['of an area', '<area href="http://x.test">', '<area href="https://t.test/13">'],
  ['with references of characters', '<a href="&#104;ttp://x.test?a&amp;b">', '<a href="https://t.test/17">'],
  [
    'written twice: the first counts',
    '<a href="http://x.test" href="http://y">',
    '<a href="https://t.test/13" href="http://y">',
  ],
]
for (const [title, given, expected] of CASES) {
  test(`rewritten: an address ${title}`, () => expect(rewritten(given)).toBe(expected))
}

/** The address as `rewrite` is given it; what browsers make of these was looked up in one. */
const READ: [written: string, read: string][] = [
  ['http://x.test?a=1&amp;b', 'http://x.test?a=1&b'],
  ['http://x.test?a=1&copy=2&reg_3&sect4', 'http://x.test?a=1&copy=2\u00ae_3&sect4'],
  ['http://x.test?&parallel=1&notin&ltimes', 'http://x.test?&parallel=1&notin&ltimes'],
  ['http://x.test?&ampamp;&amp&lt=&&amp;&#38', 'http://x.test?&ampamp;&&lt=&&&'],
  ['http://x.test?&#x41;&#66&#0;&#128;&NotEqualTilde;', 'http://x.test?AB\ufffd\u20ac\u2242\u0338'],
]
for (const [written, read] of READ) {
  test(`read as a browser does: ${written}`, () => {
    const seen: string[] = []
    const rewrite = (url: string) => {
      seen.push(url)
      return null
    }
    for (const quote of ['"', "'", '']) rewriteLinks(`<a href=${quote}${written}${quote}>`, { rewrite })
    expect(seen).toEqual([read, read, read])
  })
}

/** Text and links of html that ends sooner or later than it seems to: browsers find one link in each. */
const LINK = '<a href="http://x.test">'
const FOUND = [
  `<!-->${LINK}`,
  `<!--->${LINK}`,
  `<!->${LINK}`,
  `<!-- a --!>${LINK}`,
  `<![CDATA[ > ${LINK} ]]>`,
  `<?php > ${LINK}`,
  `</p title=">">${LINK}`,
  `<style>${LINK.replace('x', 'y')}</style/>${LINK}`,
  `<title>a</title foo>${LINK}`,
  `<iframe>${LINK.replace('x', 'y')}</iframe>${LINK}`,
  `<script>"<!--"</script>${LINK}`,
  `<a/href="http://x.test"/>`,
  `<a title=">"href=http://x.test>`,
  `<svg><title>a</title><a href="http://y.test"/></svg>${LINK}`,
]
for (const html of FOUND) {
  test(`one link: ${html}`, () => {
    const changed = html.replace(/http:\/\/x\.test/, 'https://t.test/13')
    expect(rewritten(html)).toBe(changed)
  })
}

const UNTOUCHED = [
  '<style/><a href="http://x.test">',
  '<title/><a href="http://x.test">',
  '<noembed><a href="http://x.test"></noembed>',
  '<noframes><a href="http://x.test"></noframes>',
  '<xmp><a href="http://x.test"></xmp>',
  '<textarea><a href="http://x.test"></textarea>',
  '<plaintext><a href="http://x.test">',
  '<script><!--<script></script><a href="http://x.test">',
  `<a href="http://x.test/${'a'.repeat(20_000)}">`,

  '<a href="mailto:a@x.test">',
  '<a href="tel:+1">',
  '<a href="#top">',
  '<a href="/relative">',
  '<a href>',
  '<a href="">',
  '<a data-no-track href="http://x.test">',
  '<a href="http://x.test" DATA-NO-TRACK="1">',
  '<!-- <a href="http://x.test"> -->',
  '<!--[if mso]><a href="http://x.test"><![endif]-->',
  `<script>"<a href='http://x.test'>"</script>`,
  '<style>a[href="http://x.test"]{}</style>',
  '<p title="<a href=http://x.test>">',
  '<img src="http://x.test">',
  '<link href="http://x.test">',
  '<b href="http://x.test">',
  '<a data-href="http://x.test">',
  '<a href="http://x.test',
  'a < b href="http://x.test" > c',
  '\0<a\0>é😀',
]
for (const html of UNTOUCHED) {
  test(`unchanged: ${html}`, () => expect(rewritten(html)).toBe(html))
}

test('appends before the end of the body, or at the end if the body is not closed', () => {
  expect(rewritten('<body>x</body ></html>', '<img>')).toBe('<body>x<img></body ></html>')
  expect(rewritten('x', '<img>')).toBe('x<img>')
})

test('appends nothing where it would be read as something else, or close an open element', () => {
  const open = [
    '<a href="x',
    '<a',
    '<!-- a',
    '<style>a',
    '<textarea>',
    'a</',
    '<svg>',
    '<p title=',
    '<![CDATA[',
  ]
  for (const html of open) expect(rewritten(html, '<img src="y">')).toBe(html)
})

test('the replacement of a link never leaves its attribute', () => {
  const html = rewriteLinks('<a href=x>', { rewrite: () => `"'> <script>=\`&` })
  expect(html).toBe('<a href=&#34;&#39;&#62;&#32;&#60;script&#62;=&#96;&amp;>')
})

test('a megabyte with an unclosed tag, and ten thousand links: nothing is lost', () => {
  const pieces = [
    '<a href="',
    '<a ',
    '<a href=x ',
    '&',
    '<!--',
    '<a href="http://x.test">',
    '<script>',
    '</',
    '<a =',
  ]
  for (const piece of pieces) {
    const html = piece.repeat(40_000)
    expect(rewriteLinks(html, { rewrite: () => null })).toBe(html)
  }
})
