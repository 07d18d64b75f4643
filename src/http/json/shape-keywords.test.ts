import { expect, test } from 'vitest'
import { API_ROUTES } from '../../app/routes.ts'
import type { Schema } from './shape.ts'

/** The keywords that `checkShape` handles. */
const UNDERSTOOD = new Set<string>([
  ...['type', 'const', 'enum', 'anyOf', 'properties', 'required', 'patternProperties', 'maxProperties'],
  ...['items', 'minItems', 'maxItems', 'minLength', 'maxLength', 'pattern', 'format'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'x-nul', 'x-blank', 'x-words'],
])
/** Keywords for readers that do not restrict a value. */
const ANNOTATIONS = new Set(['title', 'description', 'default', 'examples'])

/** Returns keywords that the document would show and no code would check. */
function findUnchecked(schema: Schema, path: string): string[] {
  const own = Object.entries(schema)
    .filter(([name, value]) =>
      name === 'format' ? value !== 'uuid' : !UNDERSTOOD.has(name) && !ANNOTATIONS.has(name),
    )
    .map(([name]) => `${path} ${name}`)
  const inner = [
    ...Object.entries({ ...schema.properties, ...schema.patternProperties }),
    ...(schema.anyOf ?? []).map((branch, index) => [`anyOf.${index}`, branch] as const),
    ...(schema.items === undefined ? [] : [['items', schema.items] as const]),
  ]
  return [...own, ...inner.flatMap(([name, each]) => findUnchecked(each, `${path}.${name}`))]
}

test('checked: every keyword in the schemas of requests', () => {
  const unchecked = API_ROUTES.flatMap(({ method, path, params, query, body }) =>
    Object.entries({ params, query, body }).flatMap(([part, schema]) =>
      schema === undefined ? [] : findUnchecked(schema as Schema, `${method} ${path} ${part}`),
    ),
  )
  expect(unchecked).toEqual([])
})
