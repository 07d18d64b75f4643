import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PASSES_MAX, passesOf } from '../../test/support/passes.ts'
import { ApiError } from '../lib/api-error.ts'
import {
  compileTemplate,
  compileText,
  escapeHtml,
  type GivenValues,
  isNumeric,
  renderTemplate,
  renderText,
  TEMPLATE_PARTS,
  type TemplateSource,
} from './render-template.ts'
import type { TemplateVariable } from './templates-queries.ts'

const MEGABYTE = 1024 * 1024

const string = (key: string, fallback_value: string | null = null): TemplateVariable => ({
  key,
  type: 'string',
  fallback_value,
})
const number = (key: string, fallback_value: string | null = null): TemplateVariable => ({
  key,
  type: 'number',
  fallback_value,
})

function render(source: Partial<TemplateSource>, given: GivenValues = {}, parts = TEMPLATE_PARTS) {
  const template = compileTemplate({ subject: 'Hello', html: null, text: null, variables: [], ...source })
  return renderTemplate(template, given, parts, 'template.variables')
}

function apiErrorOf(work: () => unknown): ApiError {
  try {
    work()
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error('No ApiError was thrown.')
}

describe('substitution', () => {
  const NAME = 'Ann & "Bob" <b>\'s'

  test('a value is escaped in html, literal in subject and text', () => {
    expect(
      render({ subject: '{{A}}', html: '<p title="{{A}}">{{A}}</p>', text: '{{A}}' }, { A: NAME }),
    ).toEqual({
      subject: NAME,
      html: '<p title="Ann &amp; &quot;Bob&quot; &lt;b&gt;&#39;s">Ann &amp; &quot;Bob&quot; &lt;b&gt;&#39;s</p>',
      text: NAME,
    })
  })

  test('a value between three braces is literal in every part', () => {
    const source = { subject: '{{{A}}}', html: '{{{A}}}{{A}}', text: '{{{A}}}' }
    expect(render(source, { A: '<b>' })).toEqual({ subject: '<b>', html: '<b>&lt;b&gt;', text: '<b>' })
  })

  test('a value is never expanded, whatever it contains', () => {
    const source = { subject: '{{A}}', html: '{{{A}}}{{B}}', text: '{{A}}{{B}}' }
    const given = { A: '{{B}}', B: '$& $1 {{{A}}}' }
    expect(render(source, given)).toEqual({
      subject: '{{B}}',
      html: '{{B}}$&amp; $1 {{{A}}}',
      text: '{{B}}$& $1 {{{A}}}',
    })
  })

  test('adjacent values never form a variable', () => {
    expect(render({ text: '{{A}}{{A}}B{{C}}{{C}}' }, { A: '{', C: '}' }).text).toBe('{{B}}')
  })

  test.each([
    ['{{A}}', '1'],
    ['{{ A }}', '1'],
    ['{{\n\tA\r\n}}', '1'],
    ['{{{ A }}}', '1'],
    ['{{{A|x}}}', '1'],
    ['{{{ B | my <b>x</b> }}}', 'my <b>x</b>'],
    ['{{{B|}}}.', '.'],
    ['{{{B|a|b}}}', 'a|b'],
    ['{{{B|a\n"b"}}}', 'a\n"b"'],
    ['{{{B|{{A}}}}}', '{{{B|1}}}'],
    ['{{B|x}}', '{{B|x}}'],
    ['{{{B|x}}', '{{{B|x}}'],
    ['{{{|x}}}', '{{{|x}}}'],
    ['{{A}', '{{A}'],
    ['{A}', '{A}'],
    ['{{{A}}', '{1'],
    ['{{A}}}', '1}'],
    ['{{{{A}}}}', '{1}'],
    ['{{{{{A}}}}}', '{{1}}'],
    ['{{}}', '{{}}'],
    ['{{ }}', '{{ }}'],
    ['{{A B}}', '{{A B}}'],
    ['{{A.B}}', '{{A.B}}'],
    ['{{#A}}x{{/A}}', '{{#A}}x{{/A}}'],
    ['{{&A}} {{>A}} {{!A}} {{=A}}', '{{&A}} {{>A}} {{!A}} {{=A}}'],
    ['{{1A}}', '{{1A}}'],
    ['{{Ä}}', '{{Ä}}'],
    ['{ {A} }', '{ {A} }'],
    ['{{{ A }}', '{1'],
    ['{{x}} {{A}}'.replace('x', 'a'.repeat(65)), `{{${'a'.repeat(65)}}} 1`],
    ['{{{{{{{{', '{{{{{{{{'],
    ['', ''],
  ])('%j renders as %j', (source, expected) => {
    expect(render({ text: source }, { A: '1' }).text).toBe(expected)
  })

  test('keys are case-sensitive and have up to 64 characters', () => {
    const key = `_${'x'.repeat(63)}`
    expect(render({ text: `{{a}}{{A}}{{${key}}}` }, { a: '1', A: '2', [key]: '3' }).text).toBe('123')
  })
})

describe('values', () => {
  test('a given value overrides the fallback, even when it is empty', () => {
    const variables = [string('A', 'x'), string('B', 'y'), string('C', '')]
    expect(render({ text: '{{A}}{{B}}{{C}}.', variables }, { A: '' }).text).toBe('y.')
  })

  test('the fallback of a placeholder precedes that of its variable, and is never escaped', () => {
    const variables = [string('A', 'stored'), number('N')]
    const html = '{{{A|<i>here</i>}}}, {{{A|there}}}, {{{A}}}, {{{N|none}}}'
    expect(render({ html, variables }).html).toBe('<i>here</i>, there, stored, none')
    expect(render({ html, variables }, { A: '', N: 2 }).html).toBe(', , , 2')
    expect(render({ subject: 'For {{{NAME|you}}}' }, { NAME: 'Ann\nBcc: b' }).subject).toBe('For Ann Bcc: b')
  })

  test('422 when one placeholder of a variable has no fallback', () => {
    const apiError = apiErrorOf(() => render({ text: '{{{A|x}}}{{A}}' }))
    expect(apiError.errors).toEqual({ 'template.variables.A': ['The template variable A is required.'] })
  })

  test('a fallback is escaped and never expanded, like a value', () => {
    expect(render({ html: '{{A}}', variables: [string('A', '<{{A}}>')] }).html).toBe('&lt;{{A}}&gt;')
  })

  test('422 lists each variable missing from the rendered parts once', () => {
    const apiError = apiErrorOf(() =>
      render({ subject: '{{A}}', html: '{{B}}{{A}}{{D}}', text: '{{C}}' }, { D: 1 }),
    )
    expect(apiError.message).toBe('The template variable A is required.')
    expect(apiError.errors).toEqual({
      'template.variables.A': ['The template variable A is required.'],
      'template.variables.B': ['The template variable B is required.'],
      'template.variables.C': ['The template variable C is required.'],
    })
  })

  test('variables of parts that are not rendered may be missing', () => {
    expect(render({ subject: '{{A}}', html: '{{B}}' }, { B: 'x' }, ['html'])).toEqual({
      subject: null,
      html: 'x',
      text: null,
    })
  })

  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'])(
    '{{%s}} is an unknown variable like any other',
    (key) => {
      expect(apiErrorOf(() => render({ text: `{{${key}}}` })).errors).toEqual({
        [`template.variables.${key}`]: [`The template variable ${key} is required.`],
      })
      const given = JSON.parse(`{"${key}":"own"}`)
      expect(render({ text: `{{${key}}}` }, given).text).toBe('own')
    },
  )

  test('a number variable accepts JSON numbers and numeric text and renders them as given', () => {
    const variables = [number('N', '1.50')]
    const shown = (given: GivenValues) => render({ text: '{{N}}', variables }, given).text
    expect(shown({})).toBe('1.50')
    expect(shown({ N: 0 })).toBe('0')
    expect(shown({ N: -1.5 })).toBe('-1.5')
    expect(shown({ N: '007' })).toBe('007')
    for (const N of ['', ' ', 'x', '1,5', '1 ', '0x10', 'NaN', 'Infinity', '1e9999', '٣', '1'.repeat(101)]) {
      expect(apiErrorOf(() => shown({ N })).errors, N).toEqual({
        'template.variables.N': ['The template.variables.N field must be a number.'],
      })
    }
  })

  test('a string variable accepts a number and renders it as text', () => {
    expect(render({ text: '{{A}}', variables: [string('A')] }, { A: 12.5 }).text).toBe('12.5')
  })

  test('decimal numbers and finite JSON numbers are numeric', () => {
    for (const value of ['1', '-1', '+1', '1.5', '.5', '1e3', '1E-3', 0, -0.5])
      expect(isNumeric(value)).toBe(true)
    for (const value of ['1.', 'e3', '--1', '1e', Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(isNumeric(value), String(value)).toBe(false)
    }
  })
})

test('line breaks and control characters in a value become spaces, in the subject only', () => {
  const A = 'a\r\nBcc: b\rc\nd\u2028e\u2029f\tg\u0007h\u0085i'
  const rendered = render({ subject: 'x{{A}}y{{{A}}}', text: '{{A}}' }, { A })
  expect(rendered.text).toBe(A)
  expect(rendered.subject).toBe('xa Bcc: b c d e f g h iya Bcc: b c d e f g h i')
})

describe('work is bounded', () => {
  test.each([
    ['{{', MEGABYTE / 2],
    ['{{{', MEGABYTE / 3],
    ['}}', MEGABYTE / 2],
    ['{{{}}', MEGABYTE / 5],
    ['{{ ', MEGABYTE / 3],
    ['{{a', MEGABYTE / 3],
    ['{{{a|', MEGABYTE / 5],
    ['{{{a|b ', MEGABYTE / 7],
    [`{{${'a'.repeat(64)}`, MEGABYTE / 66],
    [`{{{a${' '.repeat(1000)}`, MEGABYTE / 1004],
  ])('a megabyte of %j is compiled in linear time', (unit, count) => {
    const source = unit.repeat(count)
    const compile = () => expect(compileText(source).places).toHaveLength(0)
    expect(passesOf(compile, source)).toBeLessThan(PASSES_MAX)
  })

  test('422 when a small request would expand into a large message', () => {
    const text = '{{A}}'.repeat(200_000)
    const apiError = apiErrorOf(() => render({ text }, { A: 'x'.repeat(1000) }))
    expect(apiError.message).toBe('The rendered text must not be greater than 4008000 characters.')
    expect(render({ text }, { A: 'x'.repeat(20) }).text).toHaveLength(4_000_000)
  })

  test('a large value may be used in every part', () => {
    const A = '<p>'.repeat(1_500_000)
    expect(render({ html: '{{{A}}}', text: '{{A}}' }, { A }).text).toHaveLength(4_500_000)
  })
})

/** Renders in an independent way: one character at a time, without regular expressions or compilation. */
function renderNaively(source: string, given: GivenValues, escapeValue: (value: string) => string): string {
  const isKey = (text: string) =>
    text.length <= 64 &&
    [...text].every(
      (c, index) =>
        c === '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (index > 0 && c >= '0' && c <= '9'),
    )
  const readPlace = (from: number, braces: number) => {
    if (!source.startsWith('{'.repeat(braces), from)) return null
    const close = source.indexOf('}', from)
    if (close < 0 || !source.startsWith('}'.repeat(braces), close)) return null
    const [name = '', ...fallback] = source.slice(from + braces, close).split('|')
    const key = name.trim()
    if (key === '' || !isKey(key) || (fallback.length > 0 && braces === 2)) return null
    if (fallback.join('').includes('{')) return null
    return { key, fallback: fallback.join('|').trim(), end: close + braces }
  }
  let out = ''
  for (let at = 0; at < source.length; ) {
    const raw = readPlace(at, 3)
    const place = raw ?? readPlace(at, 2)
    if (place === null) out += source[at++]
    else {
      const value = given[place.key] === undefined ? place.fallback : String(given[place.key])
      out += raw === null ? escapeValue(value) : value
      at = place.end
    }
  }
  return out
}

const escapeNaively = (value: string) =>
  value
    .split('&')
    .join('&amp;')
    .split('<')
    .join('&lt;')
    .split('>')
    .join('&gt;')
    .split('"')
    .join('&quot;')
    .split("'")
    .join('&#39;')

describe('compared with an independent implementation', () => {
  const key = fc.constantFrom('A', 'b', '_x', 'K9')
  const piece = fc.oneof(
    fc.constantFrom('{', '}', '{{', '}}', '{{{', '}}}', ' ', '\n', '9', 'A', '-', '<b>'),
    key.map((name) => `{{${name}}}`),
    key.map((name) => `{{{ ${name}}}}`),
    key.map((name) => `{{{${name}| x}}}`),
    fc.constantFrom('{{{Z|x|y}}}', '{{{A| ', '|'),
    fc.string({ maxLength: 4 }),
  )
  const source = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''))
  const value = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 20 }),
    fc.constantFrom('{{A}}', '&<>"\'', '$&'),
  )
  const values = fc.record({ A: value, b: value, _x: value, K9: value })
  const runs = { numRuns: 2000 }

  test('html renders the same', () => {
    fc.assert(
      fc.property(source, values, (text, given) => {
        const compiled = compileText(text)
        const readSlot = ({ key: name, fallback }: (typeof compiled.slots)[number]) =>
          Object.hasOwn(given, name) ? given[name as keyof typeof given] : fallback
        const slots = compiled.slots.map(readSlot).filter((one) => one !== null)
        fc.pre(slots.length === compiled.slots.length)
        expect(renderText(compiled, slots, escapeHtml, Number.POSITIVE_INFINITY)).toBe(
          renderNaively(text, given, escapeNaively),
        )
      }),
      runs,
    )
  })

  test('values never add a line break to a subject', () => {
    const anything = fc.string({ unit: 'binary', maxLength: 20 })
    fc.assert(
      fc.property(anything, anything, (a, b) => {
        const { subject } = render({ subject: 'x {{A}} {{{b}}}' }, { A: a, b })
        expect(subject).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
      }),
      runs,
    )
  })

  test('escaping changes only the special characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(escapeHtml(text)).toBe(escapeNaively(text))
        expect(escapeHtml(text)).not.toMatch(/[<>"']/)
      }),
      runs,
    )
  })
})
