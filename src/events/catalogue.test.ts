import { Errors } from 'typebox/value'
import { expect, test } from 'vitest'
import { EVENT_KINDS } from './catalogue.ts'
import { exampleOf } from './examples.ts'

test.each(EVENT_KINDS.map((kind) => [kind.type, kind] as const))(
  'the example of %s fits its schema',
  (type, kind) => {
    const example = exampleOf(type)
    expect([...Errors(kind.data, example)]).toEqual([])
    expect(Object.keys(kind.data.properties)).toEqual(expect.arrayContaining(Object.keys(example)))
  },
)
