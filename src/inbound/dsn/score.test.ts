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
// (BSD-2-Clause, see the folder). Rules must not be made for a message of it.
const FOLDER = join(import.meta.dirname, '../../../test/fixtures/notices')

/** See its README. */
const UNSEEN = join(FOLDER, '..', 'unseen-notices')

const messages = readDsnSet(FOLDER)
const rows = messages.flatMap(pairRecipients)
const isComplaint = ({ want }: DsnRow) => typeof want.feedback === 'string'
const bounces = rows.filter((row) => !isComplaint(row) && row.want.reason !== 'vacation')

describe('against the judgement of others', () => {
  test('hard: at least 95 % of those that are', () => {
    const hard = bounces.filter(({ want }) => isWantedHard(want))
    const missed = hard.filter((row) => !isReadHard(row))
    // The server's own domain is meant, a person passed the notice on, or a stock phrase stands alone.
    expect(missed.map(describeRow)).toMatchInlineSnapshot(`
      [
        "lhost-exim-37: hostunknown 5.0.912 553; here unreachable (553 neko.example.com does not exist)",
        "lhost-sendmail-14: userunknown 5.1.1 550; here undefined (undefined)",
        "lhost-verizon-02: userunknown 5.0.911 550; here address_doubted (550 - Requested action not taken: no such user here)",
      ]
    `)
    expect(missed.length / hard.length).toBeLessThanOrEqual(0.05)
  })

  test('not hard: at least 99 % of those that are not', () => {
    const soft = bounces.filter(({ want }) => !isWantedHard(want))
    const wrong = soft.filter(isReadHard)
    // Exchange's own words without any code, after which another project doubts.
    expect(wrong.map(describeRow)).toMatchInlineSnapshot(`
      [
        "lhost-exchange2003-04: filtered 5.0.910 ; here no_such_address (on 4/29/01 11:34:45 PM Recipient Not Found MSEXCH:IMC:NEKO:KIJITORA:CAT)",
      ]
    `)
    expect(wrong.length / soft.length).toBeLessThanOrEqual(0.01)
  })

  test('not suppressed: at least 99 % of those that are not hard', () => {
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

  test('answers of vacation programs are no bounces', () => {
    const away = rows.filter(({ want }) => want.reason === 'vacation')
    expect(away.map(({ dsn }) => dsn.kind)).toEqual(away.map(() => 'auto_reply'))
  })

  test('recipients: each with an address, as many as there are', () => {
    for (const { name, wanted, dsn } of messages) {
      if (dsn.kind !== 'delivery_status') continue
      expect(dsn.recipients.length, name).toBe(wanted.length)
      for (const { address } of dsn.recipients) expect(address, name).toContain('@')
    }
  })

  test('reply codes: 95 % as others read them', () => {
    const coded = bounces.filter(({ want }) => (want.smtp ?? '') !== '')
    const same = coded.filter(({ want, got }) => String(got?.smtpCode) === want.smtp)
    expect(same.length / coded.length).toBeGreaterThanOrEqual(0.95)
  })

  test('the same when the line ends are CRLF', () => {
    for (const { name, content, dsn } of messages) {
      const crlf = Buffer.from(content.toString('latin1').replaceAll(/\r?\n/g, '\r\n'), 'latin1')
      expect(readDsn(crlf), name).toEqual(dsn)
    }
  })

  test('nothing is suppressed that is temporary, of another kind, or not said to have failed', () => {
    for (const { got, name } of bounces) {
      if (got?.verdict?.suppress !== true) continue
      expect(got, name).toMatchObject({ action: 'failed', verdict: { state: 'bounced', fault: 'recipient' } })
      expect(`${got.smtpCode ?? 500}`, name).toMatch(/^5/)
    }
  })
})

test('no less is found than when the rules met these messages for the first time', () => {
  const { hard, notHard, recipients, complaints } = scoreDsns(readDsnSet(UNSEEN))
  expect(hard.missed.length).toBeLessThanOrEqual(3)
  expect(notHard.mistaken.length).toBeLessThanOrEqual(1)
  expect(recipients.wrong.length).toBeLessThanOrEqual(5)
  expect(complaints.missed).toEqual([])
})
