import { expect, test } from 'vitest'
import { findBodyStart } from './body-start.ts'

/** The bar is where the content of the body begins. */
test.each([
  '|<p>a</p>',
  '|a',
  '|',
  '<body>|a',
  '<!doctype html><html><head><title><body></title></head><BODY class="a>b">|<p>a</p></BODY></html>',
  '<html><head></head>|<p>a</p>',
  '<html lang="en">|<p>a</p>',
  ' <!DOCTYPE html>|<p>a</p>',
  '<!--[if mso]><body class="mso"><![endif]--><body>|a',
  '<body>|a<body>b',
  '|<p title="<body>">a</p>',
  '|<body',
])('%s', (marked) => {
  const html = marked.replace('|', '')
  expect(findBodyStart(html)).toBe(marked.indexOf('|'))
})

test('a megabyte of beginnings takes no longer than it must', () => {
  const startMs = performance.now()
  for (const part of ['<body ', '<!--', '<body "', '<!doctype ', '<head></head>']) {
    findBodyStart(part.repeat(2 ** 20 / part.length))
  }
  expect(performance.now() - startMs).toBeLessThan(2000)
})
