import { describe, expect, test } from 'vitest'
import { isBadData, isEndedByServer, isOutage, isOutageByText, sqlState, violates } from './sqlstate.ts'

const withCode = (code: string, more: object = {}) =>
  Object.assign(new Error('Something failed.'), { code, ...more })

describe('errors with a code', () => {
  test.each(['08006', '57P01', '57P03', '53300', '58030', '25006', 'ECONNREFUSED', 'ETIMEDOUT'])(
    'an outage: %s',
    (code) => {
      expect(isOutage(withCode(code))).toBe(true)
    },
  )
  test.each(['23505', '22021', '40P01', '42P01', '57014', '55P03', 'XX000', 'EACCES'])(
    'no outage: %s',
    (code) => {
      expect(isOutage(withCode(code))).toBe(false)
    },
  )
  test('an outage: the internal error of Citus when it loses a node', () => {
    const text = 'failure on connection marked as essential: 127.0.0.1:9701'
    expect(isOutage(Object.assign(new Error(text), { code: 'XX000' }))).toBe(true)
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
  test.each([
    ['23505', 'duplicate key value violates unique constraint "email_20261123_pkey_102008"', true],
    ['XX000', 'duplicate key value violates unique constraint "email_20261123_pkey_102008"', true],
    ['23505', 'doppelter Schlüsselwert verletzt Unique-Constraint »email_20261123_pkey_102008«', true],
    ['23505', "la valeur d'une clé dupliquée rompt la contrainte unique « email_pkey »", true],
    ['23505', 'duplicate key value violates unique constraint "sender_email_102008"', false],
    ['XX000', 'could not open relation "email_pkey_102008"', false],
    ['23503', 'insert on table "email_102008" violates foreign key constraint "email_fkey_102008"', false],
  ])('a constraint without the field `constraint` (%s, %s): %s', (code, message, isViolated) => {
    expect(violates(Object.assign(new Error(message), { code }), 'email_')).toBe(isViolated)
  })
  test.each([
    ['null value in column "no" of relation "delivery_102010" violates not-null constraint', true],
    ['new row for relation "site_102011" violates check constraint "site_name_102011"', true],
    ['insert or update on table "sender_102012" violates foreign key constraint "sender_fkey_102012"', true],
    ['could not read blocks', false],
  ])('bad data as an internal error of another node (%s): %s', (message, isBad) => {
    expect(isBadData(Object.assign(new Error(message), { code: 'XX000' }))).toBe(isBad)
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
