import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { CATEGORIES } from '../queue/verdict-categories.ts'
import { EVENT_KINDS } from './catalogue.ts'

describe('the example of each event', () => {
  test.each(EVENT_KINDS)(
    '$type: fits its schema, and tells nothing that the schema does not name',
    (kind) => {
      expect([...Value.Errors(kind.data, kind.example)]).toEqual([])
      const named = Object.keys(kind.data.properties)
      expect(named).toEqual(expect.arrayContaining(Object.keys(kind.example)))
      const { category } = kind.example as { category?: string }
      if (category !== undefined && category !== 'suppressed') expect(CATEGORIES).toHaveProperty(category)
    },
  )
})
