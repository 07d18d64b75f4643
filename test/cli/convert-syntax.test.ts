import { describe, expect, test } from 'vitest'
import { convertSyntax } from '../../src/cli/developer/import/convert-syntax.ts'
import { compileText, findKeys } from '../../src/templates/render-template.ts'

describe('converted', () => {
  test.each([
    ['a variable', 'Hello {{ name }}', 'Hello {{name}}'],
    ['a variable that is not escaped', '{{{ html }}} {{& html }}', '{{{html}}} {{{html}}}'],
    ['a dotted name', '{{user.first_name}} {{this.a}} {{@root.b.c}}', '{{user_first_name}} {{a}} {{b_c}}'],
    ['a name with a hyphen', '{{order-id}}', '{{order_id}}'],
    ["Resend's fallback", '{{{name|my friend}}} {{{ name | }}}', '{{{name|my friend}}} {{{ name | }}}'],
    ['white space control', 'a {{~ name ~}} b', 'a {{name}} b'],
    ['comments, also with braces', 'a{{! one }}b{{!-- {{two}} --}}c', 'abc'],
    ["SendGrid's default", '{{insert name "default=friend"}}', '{{name}}'],
    ["Mailgun's variable of a recipient", '%recipient.name%, 100%', '{{name}}, 100%'],
    ['text without tags', 'a { b } c }} d', 'a { b } c }} d'],
  ])('%s', (_, source, text) => {
    const converted = convertSyntax(source)
    expect(converted).toMatchObject({ text, problems: [] })
    expect([...converted.variables.keys()].sort()).toEqual([...(findKeys(text, 100) ?? [])].sort())
  })

  test('a default becomes a fallback, and a new name is a change for the program that sends', () => {
    const { variables, changes } = convertSyntax('a\n{{insert user.name "default=my friend"}}')
    expect([...variables]).toEqual([['user_name', 'my friend']])
    expect(changes).toEqual([
      { line: 2, message: '{{insert user.name "default=my friend"}} is now {{user_name}}.' },
    ])
  })
})

describe('told with the line, and left in the text', () => {
  test.each([
    ['{{#if paid}}', 'conditions and loops'],
    ['{{^paid}}', 'conditions and loops'],
    ['{{/each}}', 'conditions and loops'],
    ['{{else}}', 'conditions and loops'],
    ['{{> footer}}', 'partials'],
    ['{{.}}', 'a loop'],
    ['{{../name}}', 'a loop'],
    ['{{formatDate due "YYYY"}}', 'helpers'],
    ['{{{unsubscribe}}}', 'unsubscribe'],
    ['{{amazonSESUnsubscribeUrl}}', 'unsubscribe'],
    ['{{{@content}}}', 'layout'],
    ['{{{RESEND_UNSUBSCRIBE_URL|x}}}', 'unsubscribe'],
    ['{{1st}}', 'name of a variable'],
    ['{{}}', 'name of a variable'],
  ])('%s', (tag, words) => {
    const { text, problems } = convertSyntax(`one\ntwo\n  ${tag}`)
    expect(text).toContain(tag)
    expect(problems).toEqual([{ line: 3, message: expect.stringContaining(words) }])
    // Sendwright takes what is left for text.
    expect(compileText(tag).slots.map(({ key }) => key)).toEqual(
      tag === '{{{unsubscribe}}}' || tag.includes('RESEND') || tag.includes('amazon')
        ? [expect.any(String)]
        : tag === '{{else}}'
          ? ['else']
          : [],
    )
  })

  test('two names that would become one', () => {
    const { problems } = convertSyntax('{{user.name}} {{user_name}}')
    expect(problems).toEqual([{ line: 1, message: expect.stringContaining('user.name') }])
  })

  test('a tag that is not closed', () => {
    const { text, problems } = convertSyntax('a {{name\nb')
    expect(text).toBe('a {{name\nb')
    expect(problems).toHaveLength(1)
  })
})

test.each(['{{!--', '{{{', '{{', '{{a', '%recipient.', '{{a}}{{', '{{#'])(
  'linear time for 2 MB of %s',
  (part) => {
    const startMs = performance.now()
    convertSyntax(part.repeat(2_000_000 / part.length))
    expect(performance.now() - startMs).toBeLessThan(20_000)
  },
)
