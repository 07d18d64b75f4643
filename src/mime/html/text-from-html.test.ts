import { describe, expect, test } from 'vitest'
import { PASSES_MAX, passesOf } from '../../../test/support/passes.ts'
import { textFromHtml } from './text-from-html.ts'

test.each([
  ['<p>Hello <b>Ann</b></p><p>Bye</p>', 'Hello Ann\n\nBye'],
  ['<h1>Title</h1>text', 'Title\n\ntext'],
  ['<a href="https://example.com/x">here</a>', 'here [https://example.com/x]'],
  ['<a href="https://example.com">https://example.com</a>', 'https://example.com'],
  ['a<br>b', 'a\nb'],
  ['<ul><li>one</li><li>two</li></ul>', ' * one\n * two'],
  ['<style>p{color:red}</style><script>alert(1)</script><title>t</title>x', 'x'],
  ['<img src="x.png" alt="logo">x', 'x'],
  ['&lt;b&gt; &amp;amp; &eacute; &#128512;', '<b> &amp; é 😀'],
  ['', ''],
  ['no tags at all', 'no tags at all'],
])('%j reads as %j', (html, text) => {
  expect(textFromHtml(html).replace(/^[^\S ]+/, '')).toBe(text)
})

test('HTML that is too deep or too long keeps its words', () => {
  expect(textFromHtml(`${'<div>'.repeat(5000)}deep &amp; &#233; <b>words</b>`)).toBe('deep & é words')
  const long = textFromHtml(`<style>p{}</style><!-- no -->${'<p>word</p>'.repeat(50_000)}`)
  expect(textFromHtml('&amp;lt; &AMP;#60; &nbsp;&LT;b&gt; '.repeat(2_000)).slice(0, 25)).toBe(
    '&lt; &#60; <b> &lt; &#60;',
  )
  expect(long.startsWith('word word')).toBe(true)
  expect(long).not.toMatch(/[<>{}]|no/)
})

test('words and entities are complete wherever a long text is split', () => {
  for (const lead of ['', 'x', 'xy', 'xyz']) {
    const entities = textFromHtml(lead + '&#65;&amp;'.repeat(60_000))
    expect(entities === lead + 'A&'.repeat(60_000)).toBe(true)
    const words = textFromHtml(`${lead}${'<b>word</b>\n'.repeat(30_000)}`)
    expect(words === `${lead} ${'word '.repeat(30_000)}`.trim()).toBe(true)
  }
})

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
  ])('a megabyte of %j, and the most that the converter accepts', (piece) => {
    for (const length of [1_000_000, 199_000]) {
      const html = piece.repeat(Math.floor(length / piece.length))
      const derive = () => expect(textFromHtml(html)).toBeTypeOf('string')
      expect(passesOf(derive, html)).toBeLessThan(PASSES_MAX)
    }
  })
})
