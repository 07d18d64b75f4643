import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  type DsnRow,
  describeRow,
  isReadHard,
  isWantedHard,
  pairRecipients,
  readDsnSet,
  scoreDsns,
} from '../../../test/support/dsn-set.ts'
import { readDsn } from './read-dsn.ts'

// 290 third-party messages with another project's classification of each recipient: the public set of Sisimai
// (BSD-2-Clause, see the folder). No rule may be written for one of these messages.
const FOLDER = join(import.meta.dirname, '../../../test/fixtures/notices')

/** See its README. */
const UNSEEN = join(FOLDER, '..', 'unseen-notices')

const messages = readDsnSet(FOLDER)
const rows = messages.flatMap(pairRecipients)
const isComplaint = ({ want }: DsnRow) => typeof want.feedback === 'string'
const bounces = rows.filter((row) => !isComplaint(row) && row.want.reason !== 'vacation')

describe('compared with the classification of another project', () => {
  test('hard: at least 95 % of hard bounces', () => {
    const hard = bounces.filter(({ want }) => isWantedHard(want))
    const missed = hard.filter((row) => !isReadHard(row))
    // The server's own domain is meant, a person forwarded the DSN, or a stock phrase stands alone.
    expect(missed.map(describeRow)).toMatchInlineSnapshot(`
      [
        "lhost-exim-37: hostunknown 5.0.912 553; here unreachable (553 neko.example.com does not exist)",
        "lhost-sendmail-14: userunknown 5.1.1 550; here undefined (undefined)",
        "lhost-verizon-02: userunknown 5.0.911 550; here address_doubted (550 - Requested action not taken: no such user here)",
      ]
    `)
    expect(missed.length / hard.length).toBeLessThanOrEqual(0.05)
  })

  test('not hard: at least 99 % of other messages', () => {
    const soft = bounces.filter(({ want }) => !isWantedHard(want))
    const wrong = soft.filter(isReadHard)
    // Exchange's text without any code, which the other project leaves undecided.
    expect(wrong.map(describeRow)).toMatchInlineSnapshot(`
      [
        "lhost-exchange2003-04: filtered 5.0.910 ; here no_such_address (on 4/29/01 11:34:45 PM Recipient Not Found MSEXCH:IMC:NEKO:KIJITORA:CAT)",
      ]
    `)
    expect(wrong.length / soft.length).toBeLessThanOrEqual(0.01)
  })

  test('not suppressed: at least 99 % of messages that are not hard bounces', () => {
    const soft = rows.filter(({ want }) => !isWantedHard(want))
    const wrong = soft.filter(({ got }) => got?.verdict?.suppress === true)
    expect(wrong.map(describeRow)).toMatchInlineSnapshot(`
      [
        "lhost-exchange2003-04: filtered 5.0.910 ; here no_such_address (on 4/29/01 11:34:45 PM Recipient Not Found MSEXCH:IMC:NEKO:KIJITORA:CAT)",
      ]
    `)
    expect(wrong.length / soft.length).toBeLessThanOrEqual(0.01)
  })

  test('complaints: all, with their kind', () => {
    const complaints = rows.filter(isComplaint)
    expect(complaints).toHaveLength(17)
    for (const { want, dsn, name } of complaints) {
      expect(dsn, name).toMatchObject({ kind: 'complaint', feedback: want.feedback })
    }
  })

  test('auto_reply: all replies of vacation programs', () => {
    const away = rows.filter(({ want }) => want.reason === 'vacation')
    expect(away.map(({ dsn }) => dsn.kind)).toEqual(away.map(() => 'auto_reply'))
  })

  test('recipients: each with an address, in the correct number', () => {
    for (const { name, wanted, dsn } of messages) {
      if (dsn.kind !== 'delivery_status') continue
      expect(dsn.recipients.length, name).toBe(wanted.length)
      for (const { address } of dsn.recipients) expect(address, name).toContain('@')
    }
  })

  test('reply codes: 95 % as in the other project', () => {
    const coded = bounces.filter(({ want }) => (want.smtp ?? '') !== '')
    const same = coded.filter(({ want, got }) => String(got?.smtpCode) === want.smtp)
    expect(same.length / coded.length).toBeGreaterThanOrEqual(0.95)
  })

  test('the same with CRLF line ends', () => {
    for (const { name, content, dsn } of messages) {
      const crlf = Buffer.from(content.toString('latin1').replaceAll(/\r?\n/g, '\r\n'), 'latin1')
      expect(readDsn(crlf), name).toEqual(dsn)
    }
  })

  test('never suppressed: temporary failures, other kinds, and recipients without a failure', () => {
    for (const { got, name } of bounces) {
      if (got?.verdict?.suppress !== true) continue
      expect(got, name).toMatchObject({ action: 'failed', verdict: { state: 'bounced', fault: 'recipient' } })
      expect(`${got.smtpCode ?? 500}`, name).toMatch(/^5/)
    }
  })
})

test('no worse than when the rules first met these messages', () => {
  const { hard, notHard, recipients, complaints } = scoreDsns(readDsnSet(UNSEEN))
  expect(hard.missed.length).toBeLessThanOrEqual(3)
  expect(notHard.mistaken.length).toBeLessThanOrEqual(1)
  expect(recipients.wrong.length).toBeLessThanOrEqual(5)
  expect(complaints.missed).toEqual([])
})
