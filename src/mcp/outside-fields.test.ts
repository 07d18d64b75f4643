import type { TSchema } from 'typebox'
import { expect, test } from 'vitest'
import { API_ROUTES, OPERATOR_ROUTES } from '../app/routes.ts'
import { compileTools } from './compile-tool.ts'
import { findOutside } from './outside-content.ts'
import { TOOLS } from './tools.ts'

/** Text of our own or of the team: names, settings, catalogues, addresses of the machine. */
const OWN = new Set(
  `advice alias awaits category config connection description did_you_mean enhanced_code error event events exits
   fallback_value id key last_event max_late missing mx_address name object outcome paused_reason reason record reentry_gap source_address step
   time_zone tls trigger ttl type url username value`.split(/\s+/),
)
const TIMES = /(_at|^at|^as_of|^since|_since|_until|_date)$/

/** Returns the names of all fields with free text, at any depth. */
function freeTextOf(schema: TSchema, name = ''): string[] {
  const { properties, items, anyOf, type } = schema as Record<string, never>
  const inner = Object.entries((properties ?? {}) as Record<string, TSchema>).flatMap(([each, field]) =>
    freeTextOf(field, each),
  )
  const isFixed = ['const', 'enum', 'format', 'properties', 'items', 'anyOf'].some((word) => word in schema)
  const isFree =
    !isFixed &&
    (type === undefined || ['string', 'object'].some((word) => [type].flat().includes(word as never)))
  return [
    ...inner,
    ...(items === undefined ? [] : freeTextOf(items, name)),
    ...((anyOf ?? []) as TSchema[]).flatMap((choice) => freeTextOf(choice, name)),
    ...(isFree ? [name] : []),
  ]
}

test('every field of a response with free text is marked, unless the text is our own', () => {
  const silent = compileTools(TOOLS, [...API_ROUTES, ...OPERATOR_ROUTES]).flatMap(({ json, route }) =>
    Object.values(route.responses)
      .flatMap(({ schema }) => (schema === undefined ? [] : freeTextOf(schema)))
      .filter((name) => !OWN.has(name) && !TIMES.test(name))
      .filter((name) => findOutside({ inner: { [name]: 'x' } }).length === 0)
      .map((name) => `${json.name}: ${name}`),
  )
  expect(silent).toEqual([])
})
