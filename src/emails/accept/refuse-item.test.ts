import { expect, test } from 'vitest'
import { invalidField } from '../../lib/api-error.ts'
import { refuseItem } from './refuse-item.ts'

test("named by its index, even if the field's name has a meaning for String.replace", () => {
  const apiError = invalidField('headers.$&', 'The headers.$& field must be a string.')
  expect(refuseItem(3, apiError)).toMatchObject({
    message: 'The 3.headers.$& field must be a string.',
    errors: { '3.headers.$&': ['The 3.headers.$& field must be a string.'] },
  })
  expect(refuseItem(3, invalidField('', 'The request body must be an object.')).message).toBe(
    'The 3 field must be an object.',
  )
})
