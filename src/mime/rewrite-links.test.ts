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

const UNTOUCHED = [
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
  test(`as it was: ${html}`, () => expect(rewritten(html)).toBe(html))
}

test('appends inside the body where it is closed, else at the end', () => {
  expect(rewritten('<body>x</body ></html>', '<img>')).toBe('<body>x<img></body ></html>')
  expect(rewritten('x', '<img>')).toBe('x<img>')
})

test('what is written in place of an address never leaves its attribute', () => {
  const html = rewriteLinks('<a href=x>', { rewrite: () => `"'> <script>=\`&` })
  expect(html).toBe('<a href=&#34;&#39;&#62;&#32;&#60;script&#62;&#61;&#96;&#38;>')
})

test('a megabyte that never ends a tag, and ten thousand links: nothing is lost', () => {
  for (const piece of ['<a href="', '<a ', '<a href=x ', '&', '<!--', '<a href="http://x.test">']) {
    const html = piece.repeat(40_000)
    expect(rewriteLinks(html, { rewrite: () => null })).toBe(html)
  }
})
