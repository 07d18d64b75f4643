import { describe, expect, test } from 'vitest'
import { isBadData, isEndedByServer, isOutage, isOutageByText, sqlState, violates } from './sqlstate.ts'

const withCode = (code: string, more: object = {}) =>
  Object.assign(new Error('Something failed.'), { code, ...more })

describe('errors with a code', () => {
  test.each(['08006', '57P01', '57P03', '53300', '58030', 'ECONNREFUSED', 'ETIMEDOUT'])(
    'an outage: %s',
    (code) => {
      expect(isOutage(withCode(code))).toBe(true)
    },
  )
  test.each(['23505', '22021', '40P01', '42P01', '57014', '55P03', 'EACCES'])('no outage: %s', (code) => {
    expect(isOutage(withCode(code))).toBe(false)
  })
  test('bad data: only classes 22 and 23', () => {
    expect(['22021', '23514', '40001'].map((code) => isBadData(withCode(code)))).toEqual([true, true, false])
  })
  test('ended by the server: a statement timeout and a lock timeout', () => {
    expect(['57014', '55P03', '57P01'].map((code) => isEndedByServer(withCode(code)))).toEqual([
      true,
      true,
      false,
    ])
  })
  test('a constraint matches by its prefix and only for unique violations', () => {
    expect(violates(withCode('23505', { constraint: 'email_2026' }), 'email_')).toBe(true)
    expect(violates(withCode('23505', { constraint: 'sender_pkey' }), 'email_')).toBe(false)
    expect(violates(withCode('23503', { constraint: 'email_2026' }), 'email_')).toBe(false)
  })
  test('the text is ignored when there is a code', () => {
    expect(isOutageByText(Object.assign(new Error('timeout'), { code: '42601' }))).toBe(false)
  })
})

describe('errors without a code', () => {
  test.each([
    'Connection terminated unexpectedly',
    'timeout expired',
    'Client was closed and is not queryable',
  ])('an outage by its text: %s', (text) => {
    const error = new Error(text)
    expect([sqlState(error), isOutage(error), isOutageByText(error)]).toEqual([null, false, true])
  })
  test('no outage: any other text, and no error at all', () => {
    expect([new Error('syntax error'), null, undefined, 'timeout'].map(isOutageByText)).toEqual([
      false,
      false,
      false,
      false,
    ])
  })
})
