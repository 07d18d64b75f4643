import { expect, test } from 'vitest'
import type { CertificateState } from '../../certificates/certificates-queries.ts'
import { checkCertificates } from './check-certificates.ts'

const now = new Date('2026-11-23T12:00:00Z')
const inDays = (days: number) => new Date(now.getTime() + days * 86_400_000)
const good: CertificateState = {
  host: 'mail.example.com',
  validUntil: inDays(80),
  dueAt: inDays(50),
  failures: 0,
  reason: null,
}
const check = (fields: Partial<CertificateState>) => checkCertificates([{ ...good, ...fields }], now)[0]

test('ok: a certificate that is renewed later', () => {
  expect(check({})).toMatchObject({ level: 'ok', check: 'certificate of mail.example.com' })
})

test('problem: no certificate after failures, with the reason and the next attempt', () => {
  const failed = { validUntil: null, failures: 2, reason: 'Timeout during connect.', dueAt: inDays(1) }
  const finding = check(failed)
  expect(finding?.level).toBe('problem')
  expect(finding?.found).toBe(
    'There is none yet. The last 2 attempts failed: Timeout during connect. The next attempt is at 2026-11-24T12:00Z.',
  )
  expect(finding?.advice).toContain('port 80')
})

test.each([
  ['warning', { validUntil: null, dueAt: now }],
  ['warning', { failures: 1, reason: 'the account was blocked' }],
  ['warning', { validUntil: inDays(5), dueAt: inDays(-25) }],
  ['problem', { validUntil: inDays(-1), dueAt: inDays(-31) }],
])('%s: %o', (level, fields) => {
  expect(check(fields)?.level).toBe(level)
})
