import { describe, expect, test } from 'vitest'
import { PASSES_MAX, passesOf } from '../../test/support/passes.ts'
import { countSteps } from '../../test/support/step-count.ts'
import { findWarnings, WARNING_COUNT_MAX } from './placeholder-warnings.ts'

const MEGABYTE = 1024 * 1024
const STEPS_MAX = 30_000

const inHtml = (html: string) => findWarnings({ subject: '', html, text: null })
const inText = (text: string) => findWarnings({ subject: '', html: null, text })

describe('a text that was meant as a placeholder is reported', () => {
  test.each([
    ['{{user.name}}', '{{user_name}}'],
    ['{{ user.name }}', '{{user_name}}'],
    ['{{{user.first-name}}}', '{{user_first_name}}'],
    ['{{items[0].name}}', '{{items_0_name}}'],
    ['{{.Name}}', '{{Name}}'],
    ['{{$json.email}}', '{{json_email}}'],
    ['{{../total}}', '{{total}}'],
    ['{{1}}', '{{_1}}'],
    ['{{1ST_NAME}}', '{{_1ST_NAME}}'],
    ['{{größe}}', 'A to Z'],
    [`{{${'a'.repeat(65)}}}`, 'up to 64'],
    ['{{First Name}}', '{{First_Name}}'],
    ['{{<b>NAME</b>}}', '{{NAME}}'],
    ['{{&nbsp;NAME}}', '{{NAME}}'],
    ['{{- NAME -}}', '{{NAME}}'],
    ['{{~NAME~}}', '{{NAME}}'],
    ['{{&NAME}}', '{{{NAME}}}'],
    ['{{pm:unsubscribe}}', '{{unsubscribe}}'],
    ['{{var:firstname:"friend"}}', '{{firstname}}'],
    ['{{#if A}}', 'no conditions'],
    ['{{#each items}}', 'no conditions'],
    ['{{/if}}', 'no conditions'],
    ['{{^person}}', 'no conditions'],
    ['{{else if B}}', 'no conditions'],
    ['{{> footer}}', 'no partials'],
    ['{{!-- later --}}', 'no comments'],
    ['{{ "x" | upcase }}', 'no filters'],
    ['{{ name | default: "friend" }}', 'no filters'],
    ['{{NAME|there}}', '{{{KEY|fallback}}}'],
    ['{{formatDate date "D MMM"}}', 'no helpers'],
    ['{{t("greeting")}}', 'no helpers'],
    ['{{ price * 2 }}', 'no helpers'],
    ['{{ count == 1 ? "item" : "items" }}', 'no helpers'],
    ['{{KEY', 'Closing braces are missing: {{KEY}}'],
    ['{{KEY}', 'Closing braces are missing: {{KEY}}'],
    ['{{ KEY }', 'Closing braces are missing: {{KEY}}'],
    ['{{{KEY}', 'Closing braces are missing'],
    ['{{user.name}', 'Closing braces are missing'],
    ['{{#if A}', 'Closing braces are missing'],
    ['{{KEY|', 'three braces on both sides'],
    ['{{KEY|friend', 'three braces on both sides'],
    ['{{{KEY|friend}}', 'three braces'],
    ['{{{KEY|a{b}c}}}', 'none inside'],
    ['{KEY}}', 'begins with two braces: {{KEY}}'],
    ['{ {KEY} }', 'no space between the braces'],
    ['{% if A %}', 'no conditions'],
    ['{%- endfor -%}', 'no conditions'],
    ['{% include "footer" %}', 'no tags'],
    ['{# a note #}', 'no comments'],
    ['<%= user.name %>', '{{user_name}}'],
    ['<?= $name ?>', '{{name}}'],
    ['*|FNAME|*', '{{FNAME}}'],
    ['*|IF:FNAME|*', 'no conditions'],
    ['%%emailaddr%%', '{{emailaddr}}'],
    ['%recipient.name%', '{{name}}'],
    ['[[data:firstname:"friend"]]', '{{firstname}}'],
    ['[firstname,fallback=friend]', '{{firstname}}'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is the placeholder of another program.
    ['${user.name}', '{{user_name}}'],
    ['{$name}', '{{name}}'],
    ['{!Contact.FirstName}', '{{Contact_FirstName}}'],
  ])('%s', (source, advice) => {
    const found = inText(`Hello ${source}`)
    expect(found).toEqual([
      { part: 'text', line: 1, column: expect.any(Number), message: expect.stringContaining(advice) },
    ])
    expect(inHtml(`<p>Hello ${source}</p>`)).toHaveLength(1)
  })
})

test.each([
  '{{KEY}} {{{KEY}}} {{ KEY }} {{{{KEY}}}} {{{KEY}} {{KEY}}}',
  '{{{KEY|friend}}} {{{ KEY | my <b>friend</b> }}} {{{KEY|}}}',
  '{{}} {{ }} { } {KEY} { KEY } {{{{{{{{ }}}}',
  '{{1, 2}, {3}} {{a: 1}} {{...}}',
  'style={{ color: "red", padding: 0 }}',
  'Write {{ to begin a placeholder, and }} to end it. Or "{{" and "}}".',
  '{"a":{"b":{"c":1}}} {"a":[{"b":{}}]} [[1]] [link][1] [a, b]',
  'function f(a){if(a){{return a+1}}return{b:{c:1}}}',
  '100% of 50% %20NAME%20 %C3%BC %PATH% 5%%off%% ## NAME ## __NAME__ $10 { } *bold* a|b **|**',
  '@media screen{.a{color:red}} @media print { .a { color: red } } .a{}}',
])('text in braces that is not meant as a placeholder is not reported: %s', (source) => {
  expect(inText(source)).toEqual([])
  expect(inHtml(`<p>${source}</p>`)).toEqual([])
})

test('in a style sheet or a script, only what has no other purpose there is reported', () => {
  const code = [
    '@media screen { { a } } .x{{color:red}} .y{ {z} } {b}} {{c d}} {{!a}} {{f(x)}} {{return',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is JavaScript.
    'if(a){{b()}} const s = `${name}`; x={{a}; {$b} <!-- -->',
  ].join('\n')
  expect(inHtml(`<style>${code}</style><SCRIPT type="x">${code}</SCRIPT>`)).toEqual([])
  const json = '<script type="application/ld+json">\n{"id":"{{order.id}}"}</script>{{order.id'
  expect(inHtml(json).map(({ line, column }) => [line, column])).toEqual([
    [2, 8],
    [2, 31],
  ])
  expect(inHtml(`<style>.a { color: {{brand.color}} }`)).toHaveLength(1)
})

test('each place is named by its part, line and column, in order', () => {
  const found = findWarnings({
    subject: 'For {{user.name}}',
    html: '<p>\r\n  {{a.b}} {{OK}} {{c.d}}\n</p>\n{{#if\n  x}}',
    text: '\n\n{{e.f}}',
  })
  expect(
    found.map(({ part, line, column, message }) => [part, line, column, message.split(' ', 1)[0]]),
  ).toEqual([
    ['subject', 1, 5, '{{user.name}}'],
    ['html', 2, 3, '{{a.b}}'],
    ['html', 2, 18, '{{c.d}}'],
    ['html', 4, 1, '{{#if'],
    ['text', 3, 1, '{{e.f}}'],
  ])
  expect(found[0]?.message).toBe(
    '{{user.name}} is not a placeholder and is sent unchanged. A name has up to 64 letters (A to Z), digits and underscores, and does not begin with a digit: {{user_name}}.',
  )
})

test('at most fifty are named, and one more counts the rest of all parts', () => {
  const fifty = '{{a.b}}\n'.repeat(WARNING_COUNT_MAX)
  expect(inText(fifty)).toHaveLength(WARNING_COUNT_MAX)
  const found = findWarnings({ subject: '{{a.b}}', html: `${fifty}{{a.b}}`, text: '{{#if A}}' })
  expect(found).toHaveLength(WARNING_COUNT_MAX + 1)
  expect(found.at(-1)).toEqual({
    part: 'html',
    line: 50,
    column: 1,
    message: '3 more texts from here on are not placeholders and are sent unchanged.',
  })
  expect(inText(`${fifty}{{a.b}}`).at(-1)?.message).toBe(
    '1 more text is not a placeholder and is sent unchanged.',
  )
})

test('at most a thousand are examined in all parts together', () => {
  const text = '{{a.b}}'.repeat(500)
  const message = (count: number) =>
    findWarnings({ subject: '{{a.b}}'.repeat(count), html: text, text }).at(-1)?.message
  expect(message(0)).toMatch(/^950 more texts/)
  expect(message(1)).toMatch(/^At least 950 more texts/)
  expect(inText('{{#if A}}'.repeat(100_000)).at(-1)?.message).toMatch(/^At least 950 more texts/)
})

const UNITS = [
  ...[
    '{{',
    '{{{',
    '{{a',
    '{{a ',
    '{{ a|',
    '{{a|b ',
    '{{a.',
    '{{#',
    '{{a{',
    '{a}',
    '{a}}',
    '{ ',
    '{ {',
    '{{a b ',
  ],
  ...[
    '{%',
    '{# ',
    '{!a.',
    '$' + '{',
    '%',
    '%%',
    '%recipient',
    '<%',
    '<?=',
    '[[',
    '[[data:',
    '[a,',
    '*|',
    '*|a',
  ],
  ...[
    '<style',
    '<style></style>',
    '<script>{{a}',
    '{{a.b}}\n',
    '{{ a b c d }}',
    '{{"',
    `{{${'a '.repeat(90)}}}`,
    '{{a.b}}',
    '{{a b c d}} ',
    `{{a${' (b)'.repeat(40)}}}`,
    `{{a${' (b) a'.repeat(30)}}}`,
    `{{a${' x=(y)'.repeat(30)}!}}`,
    `{{${'../'.repeat(60)}}}`,
    '{{1, 2}}',
  ],
]

test.each([
  ['*|', '|*'],
  ['<%=', ' %>'],
  ['%%', '%%'],
  ['${', '}'],
  ['{', '}}'],
  ['[[data:', ']]'],
])(
  'a name of a hundred thousand underscores between %s and %s is advised on in linear time',
  (before, after) => {
    const source = `${before}a${'_'.repeat(100_000)}b${after}`
    expect(passesOf(() => inHtml(source), source)).toBeLessThan(PASSES_MAX)
  },
)

test.each(UNITS)('a megabyte of %j is searched in linear time', (unit) => {
  const source = unit.repeat(MEGABYTE / unit.length)
  expect(passesOf(() => inHtml(source), source)).toBeLessThan(PASSES_MAX)
})

test('a megabyte takes a bounded number of steps, so that it does not hold the event loop', async () => {
  const module = new URL('placeholder-warnings.ts', import.meta.url).href
  const sources = UNITS.map((unit) => ({
    subject: '',
    html: unit.repeat(MEGABYTE / unit.length),
    text: null,
  }))
  const counted = { module, name: 'findWarnings', scripts: ['/src/templates/placeholder-'] }
  const steps = await countSteps(counted, sources)
  expect(steps).toHaveLength(UNITS.length)
  expect(Math.min(...steps)).toBeGreaterThan(0)
  for (const [index, unit] of UNITS.entries()) expect(steps[index], unit).toBeLessThan(STEPS_MAX)
})
