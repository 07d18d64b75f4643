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

/** Segments over what audience.ts fills in; the last word of a name says how many contacts fit. */
export function makeSegments(
  properties: { plan: string; age: string; joined: string },
  listId: string,
): SegmentRequest[] {
  const plan = (value: string): Condition => ({
    field: 'property',
    operator: 'equals',
    value,
    property_id: properties.plan,
  })
  const age = (operator: string, value: number): Condition => ({
    field: 'property',
    operator,
    value,
    property_id: properties.age,
  })
  const joined = (operator: string, value: string): Condition => ({
    field: 'property',
    operator,
    value,
    property_id: properties.joined,
  })
  const subscribed = (value: boolean): Condition => ({
    field: 'unsubscribed',
    operator: 'equals',
    value: !value,
  })
  const inList: Condition = { field: 'list', operator: 'in', value: listId }
  const text = (field: string, operator: string, value: string): Condition => ({ field, operator, value })
  const one = (name: string, match_type: 'all' | 'any', conditions: Condition[]): SegmentRequest => ({
    name,
    match_type: 'all',
    filters: { groups: [{ match_type, conditions }] },
  })
  return [
    one('three conditions, many', 'all', [plan('free'), age('greater_than', 10), subscribed(true)]),
    one('list, value and date, many', 'all', [inList, plan('free'), joined('after', '2021-01-01')]),
    one('three conditions, some', 'all', [plan('pro'), age('equals', 40), subscribed(true)]),
    one('three conditions, few', 'all', [plan('gold'), age('greater_than', 0), subscribed(true)]),
    // Each of them fits thousands: every fiftieth, every eightieth, nine of ten.
    one('three that exclude each other, none', 'all', [subscribed(false), age('equals', 1), plan('free')]),
    one('three conditions, none', 'all', [plan('silver'), age('greater_than', 10), subscribed(true)]),
    one('any of three, many', 'any', [plan('pro'), age('equals', 40), subscribed(false)]),
    one('any of three, few', 'any', [plan('gold'), text('first_name', 'equals', 'Zoe'), age('equals', 500)]),
    one('part of an address, value and list, many', 'all', [
      text('email', 'contains', '7'),
      plan('free'),
      inList,
    ]),
    // No index knows the middle of an address.
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
