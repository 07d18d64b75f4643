import { describe, expect, test } from 'vitest'
import { findKeys } from '../../../../src/templates/render-template.ts'
import { STARTER_HTML, STARTER_TEXT, STARTER_VARIABLES } from '../list/starter.ts'
import { checkLink } from './check-link.ts'
import { checkTemplate } from './checks.ts'
import { compareVariables, findPlaces, readVariables, usedKeys } from './variables.ts'

const EMPTY = { subject: 'Hello', html: '', text: 'Hello', variables: [], renderedHtml: null, warnings: [] }
const check = (given: Partial<Parameters<typeof checkTemplate>[0]>) => checkTemplate({ ...EMPTY, ...given })
const inHtml = (html: string) => check({ html }).filter(({ severity }) => severity !== 'hint')
const lines = (found: ReturnType<typeof check>) =>
  found.map(({ severity, part, line, message }) => `${severity} ${part}:${line} ${message}`)

test('the starter template has no findings', () => {
  const variables = readVariables([...STARTER_VARIABLES])
  expect(check({ html: STARTER_HTML, text: STARTER_TEXT, variables })).toEqual([])
})

describe('a variable', () => {
  test('is found where the server finds it', () => {
    const source =
      '{{A}} {{ b_2 }} {{{C}}} {{{ D }}} {{{I|x}}} {{{ J | y\n}}} {{K|z}} {{1X}} {{a-b}} {{#if}} {{{{E}}}} {{}} {{F}}} {G} {{ H\n}} {{é}} {{_}}'
    expect(findPlaces(source).map(({ key }) => key)).toEqual([...(findKeys(source, 100) ?? [])])
  })

  test('that is used but not declared, or declared but not used, is reported', () => {
    const variables = [
      { key: 'NAME', type: 'string', fallback: null },
      { key: 'OLD', type: 'string', fallback: null },
    ] as const
    const content = { subject: '{{NAME}}', html: '<p>\n{{TOTAL}}</p>', text: 'x', variables }
    expect(usedKeys(content)).toEqual(['NAME', 'TOTAL'])
    expect(compareVariables(content)).toEqual({ undeclared: ['TOTAL'], unused: ['OLD'] })
    expect(lines(check(content))).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^warning html:2 TOTAL is used but not declared/),
        expect.stringMatching(/^hint variables:null OLD is declared but not used/),
      ]),
    )
  })

  test('that is not escaped is reported', () => {
    const variables = [{ key: 'X', type: 'string', fallback: '' }] as const
    expect(lines(check({ html: 'a\nb {{{X}}}', variables }))).toContainEqual(
      expect.stringMatching(/^warning html:2 \{\{\{X\}\}\} is not escaped/),
    )
  })
})

test('what the server reports is a warning with its line', () => {
  const warnings = [{ part: 'text', line: 2, column: 1, message: '{{a.b}} is not a placeholder.' }] as const
  expect(lines(check({ warnings: [...warnings] }))).toEqual(['warning text:2 {{a.b}} is not a placeholder.'])
})

test('a variable whose placeholders have fallbacks needs no declaration', () => {
  expect(check({ text: '{{{A|x}}} {{{ A | }}}' })).toEqual([])
  expect(lines(check({ text: '{{{A|x}}} {{A}}' }))).toEqual([
    expect.stringMatching(/^warning text:1 A is used but not declared/),
  ])
})

test.each([
  ['<img src="https://x.test/a.png">', 'warning html:1 This image has no alt'],
  ['<img alt="x">', 'error html:1 This image has no src'],
  ['<img alt="" src="/a.png">', 'error html:1 This image has no absolute URL'],
  ['<img alt="" src="http://x.test/a.png">', 'warning html:1 This image is loaded without TLS'],
  [
    '<img alt="" src="data:image/png;base64,AAAA">',
    'warning html:1 Gmail and Outlook do not show inline images',
  ],
  ['<p>\n\n<a>go</a></p>', 'warning html:3 This link leads nowhere'],
  ['<a href="">go</a>', 'warning html:1 This link leads nowhere'],
  ['<a href="JavaScript:alert(1)">go</a>', 'error html:1 Mail clients remove javascript: links'],
  ['<a href="htps://x.test">go</a>', 'error html:1 htps://x.test is not an absolute URL'],
  ['<a href="www.x.test/a">go</a>', 'error html:1 www.x.test/a is not an absolute URL'],
  ['<a href="https://x..test/">go</a>', 'error html:1 https://x..test/ is not a valid URL'],
  ['<a href="https:/x.test/">go</a>', 'error html:1 https:/x.test/ is not a valid URL'],
  ['<a href="https://x.test/a b">go</a>', 'error html:1 https://x.test/a b is not a valid URL'],
  ['<a href="http://x.test/">go</a>', 'warning html:1 http://x.test/ does not use TLS'],
  ['<script>alert(1)</script>', 'warning html:1 Mail clients remove <script>'],
  ['<p onclick="x()">', 'warning html:1 Mail clients do not run scripts'],
  [
    '<link rel="stylesheet" href="https://x.test/a.css">',
    'warning html:1 Mail clients do not load external style sheets',
  ],
  [`<style>${'a{b:c}'.repeat(3_000)}</style>`, 'warning html:1 The style blocks have 17.6 KB'],
])('markup that fails in mail clients is reported: %s', (html, message) => {
  expect(lines(inHtml(html))).toEqual([expect.stringContaining(message)])
})

test.each([
  'https://x.test',
  'https://x.test:8443/a?b={{C}}#d',
  'https://{{HOST}}/a',
  '{{URL}}',
  '{{{URL}}}?a=b',
  'mailto:a@x.test',
  'tel:+49301234',
  '#top',
  'https://user@[2001:db8::1]/',
  'https://bücher.test/ä',
  ' https://x.test/%20 ',
])('a working link is not reported: %s', (href) => {
  expect(checkLink(href)).toBeNull()
})

test('rendered HTML that Gmail would clip is reported', () => {
  const large = 'é'.repeat(52_300)
  expect(lines(check({ html: '<p>{{A}}</p>', renderedHtml: large }))).toContainEqual(
    expect.stringMatching(/^warning html:null The HTML has 102.1 KB/),
  )
  expect(lines(check({ html: 'x', renderedHtml: 'x'.repeat(95_000) }))).toContainEqual(
    expect.stringMatching(/^hint html:null .* little room is left/),
  )
})

test('a missing preheader and a missing language are reported', () => {
  const hints = lines(
    check({ html: '<html><body><p>Hello</p><div style="display:none">late</div></body></html>' }),
  )
  expect(hints).toEqual([
    expect.stringContaining('hint html:null There is no preheader'),
    expect.stringContaining('hint html:null Set the language'),
  ])
})

test('a template without a text, or without content, is reported', () => {
  expect(lines(check({ html: '<div style="display: none">x</div>', text: '' }))).toEqual([
    expect.stringContaining('hint text:null There is no text version'),
  ])
  expect(lines(check({ text: '', subject: ' ' }))).toEqual([
    expect.stringContaining('error subject:null The subject is missing'),
    expect.stringContaining('error html:null The template has neither'),
  ])
})

test('at most 100 findings are reported', () => {
  for (const piece of [
    '{{',
    '{{ a ',
    '<a href="',
    '<img src=x ',
    '<',
    '<style>',
    '<!--',
    '\n{{x}}',
    '{{a}}\n',
  ]) {
    const html = piece.repeat(150_000 / piece.length)
    expect(check({ html, text: html }).length).toBeLessThanOrEqual(100)
  }
})
