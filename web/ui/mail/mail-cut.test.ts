import { expect, test } from 'vitest'
import { cutMarkup, MARKUP_CHARS_MAX } from './mail-cut.ts'

const row = '<p class="row">Hello</p>'

test('short HTML stays as it is, also beside large embedded images', () => {
  const image = `<img src="data:image/png;base64,${'A'.repeat(2_000_000)}">`
  for (const html of [row, 'x'.repeat(MARKUP_CHARS_MAX), row + image + row + image]) {
    expect(cutMarkup(html)).toBe(html)
  }
})

test('long HTML ends after a tag, at most at the limit', () => {
  const html = row.repeat(200_000)
  const cut = cutMarkup(html)
  expect(html.startsWith(cut)).toBe(true)
  expect(cut.endsWith('>')).toBe(true)
  expect(cut.length).toBeGreaterThan(MARKUP_CHARS_MAX - 100)
  expect(cut.length).toBeLessThanOrEqual(MARKUP_CHARS_MAX)
})

test('text without tags is cut, and an image never', () => {
  expect(cutMarkup('x'.repeat(1_000_000)).length).toBeLessThanOrEqual(MARKUP_CHARS_MAX)
  const image = `<img src="data:image/png;base64,${'A'.repeat(300_000)}">`
  const cut = cutMarkup(image + 'x'.repeat(1_000_000))
  expect(cut).toBe(image)
})

test('found at once in a text full of beginnings of images', () => {
  expect(cutMarkup('data:image/png;base64,'.repeat(200_000)).length).toBeLessThan(5_000_000)
})
