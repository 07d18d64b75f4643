import { expect, test } from 'vitest'
import { withValue } from './step-fields.ts'

test('an empty field is taken out of a config', () => {
  const config = withValue({}, 'template.id', 'a')
  expect(config).toEqual({ template: { id: 'a' } })
  expect(withValue(config, 'template.id', undefined)).toEqual({})
})
