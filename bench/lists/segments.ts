interface Condition {
  field: string
  operator: string
  value?: unknown
  property_id?: string
}

export interface SegmentRequest {
  name: string
  match_type: 'all'
  filters: { groups: { match_type: 'all' | 'any'; conditions: Condition[] }[] }
}

/** Ids of the properties that audience.ts fills. */
interface PropertyIds {
  plan: string
  age: string
  joined: string
}

/** Returns segments of the audience from audience.ts. The last word of a name says how many contacts match. */
export function makeSegments(properties: PropertyIds, listId: string): SegmentRequest[] {
  const { plan, age, joined } = conditionsOn(properties)
  const inList: Condition = { field: 'list', operator: 'in', value: listId }
  return [
    one('three conditions, many', 'all', [plan('free'), age('greater_than', 10), subscribed(true)]),
    one('list, value and date, many', 'all', [inList, plan('free'), joined('after', '2021-01-01')]),
    one('three conditions, some', 'all', [plan('pro'), age('equals', 40), subscribed(true)]),
    one('three conditions, few', 'all', [plan('gold'), age('greater_than', 0), subscribed(true)]),
    // Each condition matches thousands of contacts: every fiftieth, every eightieth, and nine of ten.
    one('three that exclude each other, none', 'all', [subscribed(false), age('equals', 1), plan('free')]),
    one('three conditions, none', 'all', [plan('silver'), age('greater_than', 10), subscribed(true)]),
    one('any of three, many', 'any', [plan('pro'), age('equals', 40), subscribed(false)]),
    one('any of three, few', 'any', [plan('gold'), text('first_name', 'equals', 'Zoe'), age('equals', 500)]),
    one('part of an address, value and list, many', 'all', [
      text('email', 'contains', '7'),
      plan('free'),
      inList,
    ]),
    // No index supports a search in the middle of an address.
    one('part of an address, value and list, none', 'all', [
      text('email', 'contains', 'zzz'),
      plan('free'),
      inList,
    ]),
    one('not in a list, not a value, subscribed, few', 'all', [
      { field: 'list', operator: 'not_in', value: listId },
      { ...plan('free'), operator: 'not_equals' },
      subscribed(true),
    ]),
  ]
}

/** Returns a builder of conditions for each property. */
function conditionsOn(properties: PropertyIds) {
  const on = (property_id: string, operator: string, value: string | number): Condition => ({
    field: 'property',
    operator,
    value,
    property_id,
  })
  return {
    plan: (value: string) => on(properties.plan, 'equals', value),
    age: (operator: string, value: number) => on(properties.age, operator, value),
    joined: (operator: string, value: string) => on(properties.joined, operator, value),
  }
}

const subscribed = (value: boolean): Condition => ({
  field: 'unsubscribed',
  operator: 'equals',
  value: !value,
})

const text = (field: string, operator: string, value: string): Condition => ({ field, operator, value })

/** Returns a segment with one group of conditions. */
const one = (name: string, match_type: 'all' | 'any', conditions: Condition[]): SegmentRequest => ({
  name,
  match_type: 'all',
  filters: { groups: [{ match_type, conditions }] },
})
