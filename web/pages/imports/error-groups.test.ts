import { expect, test } from 'vitest'
import type { ImportError } from '../../api/records.ts'
import { groupErrors } from './error-groups.ts'

const error = (line: number, message: string, value: string | null): ImportError => ({
  object: 'import_error',
  id: String(line),
  line,
  message,
  value,
})

test('errors are grouped by reason, the most frequent first, with the first lines and different cells', () => {
  const groups = groupErrors([
    error(2, 'The row has 1 cell, the first line 2.', null),
    ...['vielleicht', 'vielleicht', 'a', 'b', 'c'].map((value, index) =>
      error(index + 3, 'The unsubscribed field must be true or false.', value),
    ),
  ])
  expect(groups).toEqual([
    {
      message: 'The unsubscribed field must be true or false.',
      count: 5,
      values: ['vielleicht', 'a', 'b'],
      lines: [3, 4, 5],
    },
    { message: 'The row has 1 cell, the first line 2.', count: 1, values: [], lines: [2] },
  ])
})
