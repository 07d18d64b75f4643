import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PASSES_MAX, passesOf } from '../../../test/support/passes.ts'
import { countSteps } from '../../../test/support/step-count.ts'
import { isFull } from '../../../test/support/thorough.ts'
import { textFromHtml } from './text-from-html.ts'

test.each([
  ['<p>Hello <b>Ann</b></p><p>Bye</p>', 'Hello Ann\n\nBye'],
  ['<h1>Title</h1>text', 'Title\n\ntext'],
  ['<a href="https://example.com/x">here</a>', 'here [https://example.com/x]'],
  ['<a href="https://example.com">https://example.com</a>', 'https://example.com'],
  ['a<br>b', 'a\nb'],
  ['<ul><li>one</li><li>two</li></ul>', ' * one\n * two'],
  ['<style>p{color:red}</style><script>alert(1)</script><title>t</title>x', 'x'],
  ['<img src="x.png" alt="logo">x', 'logo x'],
  ['<img src="x.png" alt="">x<img>', 'x'],
  ['<img alt="logo" hidden>x<img alt="logo" style="display:none">', 'x'],
  ['<a href="https://e.com/x"><img alt="logo"></a>', 'logo [https://e.com/x]'],
  ['<p>a</p><a href="https://e.com/x"><img></a><p>b</p>', 'a\n\n[https://e.com/x]\n\nb'],
  ['<a href="https://e.com/x">a<p>b</a>c', 'a\n\nb [https://e.com/x]c'],
  ['<a href="https://e.com/x', ''],
  ['<a href="https://e.com/x">open', 'open [https://e.com/x]'],
  ['<a href="#a">a</a><a href="javascript:b()">b</a><a>c</a><a href="">d</a>', 'abcd'],
  ['<a href=" https://e.com/a b\n/c ">a</a>', 'a [https://e.com/a%20b/c]'],
  ['<tr><td>Total</td><td>12.00</td></tr><tr><td>Tax</td><td>3.00</td></tr>', 'Total  12.00\nTax  3.00'],
  ['<table><tr><td><p>A<td><p>B<tr><td>C<td></table>', 'A  B\n\nC'],
  ['<table><tr><td>A<br>B<td>C<td>D<tr><td>E<td>F</table>G', 'A\nB\nC\nD\nE  F\nG'],
  ['<table><tr><td>A<td><table><tr><td>B<td>C<tr><td>D</table><td>E</table>', 'A  B  C\nD\nE'],
  ['<ol start=9><li>nine<li>ten<p>more</ol>', ' 9. nine\n 10. ten\n\n     more'],
  ['<blockquote>a<br>b</blockquote>c', '> a\n> b\n\nc'],
  ['<pre>a  b\n  c</pre>', 'a  b\n  c'],
  ['a<br><br><br>b<hr>c', `a\n\nb\n${'-'.repeat(40)}\nc`],
  ['<!--[if mso]>a<![endif]--><!--[if !mso]><!-->b<!--<![endif]-->', 'b'],
  ['<svg><g style="display:none"/>a<text>b</text></svg>c', 'abc'],
  ['&zwnj;&nbsp;&zwnj; a&zwnj;b &shy;&#8203;', 'a\u200Cb'],
  ['a\u0000\u0007b&#0;&#xD800;&#x110000;', 'ab\uFFFD\uFFFD\uFFFD'],
  ['&lt;b&gt; &amp;amp; &eacute; &#128512;', '<b> &amp; é 😀'],
  ['', ''],
  ['no tags at all', 'no tags at all'],
])('%j reads as %j', (html, text) => {
  expect(textFromHtml(html).replace(/^[^\S ]+/, '')).toBe(text)
})

const HIDDEN = [
  '<p hidden>x</p>',
  '<div style="display:none">x<div>x</div>x</div>',
  '<div style=" color:red; DISPLAY : None !important ;display:block">x</div>',
  '<span style="visibility:hidden">x</span>',
  '<div style="mso-hide:all">x</div>',
  '<div data-skip-in-text="true">x</div>',
  '<div data-skip-in-text>x</div>',
  '<div style="max-height:0px;overflow:hidden">x</div>',
  '<div style="opacity:0">x</div>',
  '<div style="opacity:.0">x</div>',
  '<div style="max-height:00.00em;overflow:hidden">x</div>',
  '<div style="display:none"><a href="https://e.com">x</a><table><tr><td>x</table><ul><li>x</ul></div>',
  '<table><tr><td style="display:none">x<td>',
  '<table><tr style="display:none"><td>x<tr><td>',
  '<table><td><div hidden>x</td></table>',
  '<ul><li hidden>x<li>',
  '<p hidden>x<div>',
  '<div hidden>x<b>x<div>x</b>x</div>x</div>',
  '<div hidden>x</p></span></td>x</div>',
  '<template>x</template>',
]
test.each(HIDDEN)('hidden, up to where a browser ends it: %s', (html) => {
  expect(textFromHtml(`before ${html} after`).replace(/[*\s]+/g, ' ')).toBe('before after')
})

test.each([
  '<a style="mso-hide:all">x</a>',
  '<p data-skip-in-text="false">x</p>',
  '<p style="display:none;display:block">x</p>',
  '<td style="font-size:0;line-height:0">x</td>',
  '<p style="max-height:0.5em;overflow:hidden;opacity:0.9">x</p>',
  '<p style>x</p>',
])('shown: %s', (html) => expect(textFromHtml(html)).toBe('x'))

test('deep and long HTML keeps its words and its links', () => {
  expect(textFromHtml(`${'<div>'.repeat(5000)}deep &amp; &#233; <b>words</b>`)).toBe('deep & é words')
  const long = textFromHtml(
    `<style>p{}</style><!-- no -->${'<p>a <a href="https://e.com/">b</a></p>'.repeat(50_000)}`,
  )
  expect(long === 'a b [https://e.com/]\n\n'.repeat(50_000).trim()).toBe(true)
  expect(textFromHtml('&amp;lt; &AMP;#60; &nbsp;&LT;b&gt; '.repeat(2_000)).slice(0, 25)).toBe(
    '&lt; &#60; <b> &lt; &#60;',
  )
  expect(textFromHtml(`${'<ul><li>'.repeat(10_000)}x`).length).toBeLessThan(100)
})

test('words and entities are complete at any length', () => {
  expect(textFromHtml('&#65;&amp;'.repeat(60_000)) === 'A&'.repeat(60_000)).toBe(true)
  expect(textFromHtml('<b>word</b>\n'.repeat(30_000)) === 'word '.repeat(30_000).trim()).toBe(true)
})

const PIECES = [
  ...'div p b a table tr td th ul ol li pre blockquote svg span hr br'
    .split(' ')
    .flatMap((name) => [`<${name}>`, `</${name}>`, `<${name} style="display:none" href=x>`]),
  ...[
    '&amp;',
    '&#',
    '&zwnj;',
    ' ',
    'word',
    '\n',
    '<',
    '</',
    '<!--',
    '-->',
    '<img alt=x>',
    '<style>',
    '</style>',
    '="',
  ],
]

/** Pairs of pieces beside the known ones. */
const PAIRS = isFull ? 60 : 15

test('twice the HTML takes twice the steps, whatever its tags', async () => {
  const pieces = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 6 })
  // Levels that are not indented were counted anew for each image.
  const known: [string[], string[]] = [['<blockquote>', '<img alt=x>'], ['<div>']]
  const samples = [known, ...fc.sample(fc.tuple(pieces, pieces), PAIRS)]
  const html = samples.flatMap(([first, second]) =>
    [100, 200].map((count) => first.join('').repeat(count) + second.join('').repeat(count)),
  )
  const module = join(import.meta.dirname, 'text-from-html.ts')
  const steps = await countSteps(
    { module, name: 'textFromHtml', scripts: ['/src/mime/html/', '/htmlparser2/'] },
    html,
  )
  for (const [index, pair] of samples.entries()) {
    const [once = 0, twice = 0] = steps.slice(2 * index, 2 * index + 2)
    expect(once, JSON.stringify(pair)).toBeGreaterThan(100)
    expect(twice, JSON.stringify(pair)).toBeLessThan(2.1 * once + 100)
  }
})

/** Quadratic work on half a megabyte takes half the passes that it takes on a megabyte, so half the limit detects as much. */
const LENGTH = 500_000
const LIMIT = (PASSES_MAX * LENGTH) / 1_000_000

describe('bounded in time', () => {
  test.each([
    '<div>',
    '<p>',
    '<b>',
    '<',
    '<!--',
    '</',
    '<table><tr><td>',
    '<ul><li>',
    '<a href="',
    '<blockquote>',
    '<style>',
    '<br>',
    '&amp;',
    '&#',
    '< ',
    'a',
    ' ',
    '<p></p>',
    '<div></div',
    '<a x=1 ',
    '<li></ul>',
    '<i>x</i>',
  ])('half a megabyte of %j', (piece) => {
    const html = piece.repeat(Math.floor(LENGTH / piece.length))
    const derive = () => expect(textFromHtml(html)).toBeTypeOf('string')
    expect(passesOf(derive, html, LIMIT)).toBeLessThan(LIMIT)
  })

  test('a style of many zeros', () => {
    const html = `<p style="opacity:${'0'.repeat(50_000)}x">a</p>`
    const derive = () => expect(textFromHtml(html)).toBe('a')
    expect(passesOf(derive, html, LIMIT)).toBeLessThan(LIMIT)
  })
})
