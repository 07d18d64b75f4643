import { describe, expect, test } from 'vitest'
import { isHardBounce } from '../../classification/classify-dsn.ts'
import { readDsn } from './read-dsn.ts'

/** Returns the result for a DSN with these fields of one recipient. */
function read(fields: string, text = 'Report on your message.') {
  const dsn = readDsn(
    Buffer.from(
      [
        'From: MAILER-DAEMON@relay.test',
        'To: me@own.test',
        'Subject: Undeliverable',
        'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
        '',
        `--b\nContent-Type: text/plain\n\n${text}\n`,
        `--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; relay.test\n`,
        `Final-Recipient: rfc822; ann@x.test\nAction: failed\n${fields}\n\n--b--`,
      ].join('\n'),
    ),
  )
  if (dsn.kind !== 'delivery_status') throw new Error(`This was read as ${dsn.kind}.`)
  const [recipient] = dsn.recipients
  const verdict = recipient?.verdict ?? null
  return { ...recipient, category: verdict?.category, isHard: verdict !== null && isHardBounce(verdict) }
}

describe('the reason stands only in a vendor field', () => {
  // Exchange (MS-OXCMAIL section 2.2.3.7.1.2), other gateways, PowerMTA.
  test.each([
    ['X-Supplementary-Info: <mx.x.test #5.1.1 smtp;550 5.1.1 User unknown>', 'no_such_address'],
    [
      'X-Supplementary-Info: <mx.x.test #5.1.1 smtp;550-5.1.1 The email account that you\n tried to reach does not exist. 550 5.1.1 abc.1 - gsmtp>',
      'no_such_address',
    ],
    ['X-Supplementary-Info: < #5.1.1>', 'no_such_address'],
    ['X-Supplementary-Info: <mx.x.test #5.2.2 smtp;552 5.2.2 Mailbox full>', 'mailbox_full'],
    ['X-Supplementary-Info: <mx.x.test #5.7.1 smtp;550 5.7.1 Message blocked as spam>', 'spam'],
    ['X-Supplementary-Info: <mx.x.test #5.5.0 smtp;554 Access denied>', 'policy_refused'],
    ['X-Notes: The recipient does not exist in our directory', 'no_such_address'],
    ['X-Reject-Reason: 550 No such user here', 'no_such_address'],
    ['X-Reject-Reason: 552 Mailbox is over its quota', 'mailbox_full'],
    ['X-Error-Text: The mailbox is full', 'mailbox_full'],
    ['X-PowerMTA-BounceCategory: bad-mailbox', 'no_such_address'],
    ['X-PowerMTA-BounceCategory: spam-related', 'spam'],
  ])('%s is %s', (field, category) => {
    for (const status of [
      'Status: 5.0.0',
      'Status: 5.5.0 (undefined status)',
      'Status: 5.1.0\nRemote-MTA: dns; mx.x.test',
    ]) {
      expect(read(`${status}\n${field}`)).toMatchObject({ category, isHard: category === 'no_such_address' })
      expect(read(`${field}\n${status}`)).toMatchObject({ category })
    }
  })

  test('the field is the response, without its frame', () => {
    const field = 'X-Supplementary-Info: <mx.x.test #5.1.1 smtp;550 5.1.1 User unknown>'
    expect(read(`Status: 5.0.0\n${field}`)).toMatchObject({
      smtpCode: 550,
      enhancedCode: '5.1.1',
      response: '550 5.1.1 User unknown',
    })
  })

  test('a reply without a reason gives way to a vendor field with one', () => {
    const fields = 'Status: 5.0.0\nDiagnostic-Code: smtp; 550 Rejected\nX-Notes: The user does not exist'
    expect(read(fields)).toMatchObject({ category: 'no_such_address', response: '550 Rejected' })
  })
})

describe('a standard field with a reason counts, whatever a vendor field says', () => {
  const DEAD = 'X-Supplementary-Info: <mx.x.test #5.1.1 smtp;550 5.1.1 User unknown>\nX-Notes: no such user'
  test.each([
    ['Status: 5.2.2', 'mailbox_full'],
    ['Status: 5.4.4', 'no_mail_host'],
    ['Status: 5.4.1', 'unreachable'],
    ['Status: 5.7.1', 'policy_refused'],
    ['Status: 5.7.0', 'policy_refused'],
    ['Status: 5.6.0', 'content_refused'],
    ['Status: 4.4.7', 'expired'],
    ['Status: 4.2.0', 'expired'],
    ['Status: 5.0.0\nDiagnostic-Code: smtp; 550 5.7.1 Blocked as spam', 'spam'],
    ['Status: 5.0.0\nDiagnostic-Code: smtp; 552 Mailbox full', 'mailbox_full'],
    ['Status: 5.0.0\nDiagnostic-Code: smtp; 550 Rejected by policy', 'policy_refused'],
  ])('%s is %s', (standard, category) => {
    expect(read(`${standard}\n${DEAD}`)).toEqual(read(standard))
    if (category !== 'expired') expect(read(`${standard}\n${DEAD}`)).toMatchObject({ category })
  })

  test('5.1.1 is an unknown address even if a vendor field names another reason', () => {
    const fields = 'Status: 5.1.1\nX-Supplementary-Info: <mx.x.test #5.2.2 smtp;552 Mailbox full>'
    expect(read(fields)).toMatchObject({ category: 'no_such_address' })
  })
})

test.each([
  ['X-Job: ann\nX-Queue: 7'],
  ['X-Job: User unknown\nX-Rule: Not found.\nX-Archive-Key: user_unknown'],
  ['X-Weight: 550\nX-Size: 512\nX-Priority: 5'],
  [Array.from({ length: 19 }, (_, place) => `X-Part-${place}: none`).join('\n')],
])('fields without a reason do not hide the one with it: %j', (others) => {
  const fields = `${others}\nX-Supplementary-Info: <mx.test #5.1.1 smtp;550 5.1.1 User unknown>`
  expect(read(`Status: 5.0.0\n${fields}`)).toMatchObject({ category: 'no_such_address', isHard: true })
})

test.each([
  'X-Rule: Not found.',
  'X-Contact: not found',
  'X-Archive-Key: user_unknown',
  'X-Job: User unknown',
  'X-Class: bad-mailbox',
  'X-Owner: The user does not exist',
  'X-Reasonable-Rule: no such user',
  'X-Display-Name: User Unknown',
  'X-Display-Name: No such user',
  'X-Actual-Recipient: rfc822; unknown-user@x.test',
  'X-Postfix-Queue-ID: 550 5.1.1 User unknown',
  'X-Postfix-Sender: rfc822; no-such-user@own.test',
  'X-Original-Message-ID: <no such user@own.test>',
  'X-Mailer: User unknown 5.1.1',
  'X-Queue-Time: 550 seconds',
  'X-Supplementary-Info: < #2.0.0>',
  'X-Supplementary-Info: <mx.x.test #5.0.0>',
  'X-PowerMTA-BounceCategory: other',
  'X-PowerMTA-VirtualMTA: bad-mailbox',
  'X-Tracking: 5501234',
])('no reason: %s', (field) => {
  expect(read(`Status: 5.0.0\n${field}`)).toMatchObject({ category: 'refused', isHard: false })
})

test('the class of PowerMTA does not count beside a reply', () => {
  const fields = 'Status: 5.0.0\nDiagnostic-Code: smtp; 550 Rejected\nX-PowerMTA-BounceCategory: bad-mailbox'
  expect(read(fields)).toMatchObject({ category: 'refused', isHard: false })
})

test('a delay stays a delay', () => {
  const dsn = readDsn(
    Buffer.from(
      'From: MAILER-DAEMON@relay.test\nContent-Type: message/delivery-status\n\nFinal-Recipient: rfc822; ann@x.test\nAction: delayed\nX-Notes: The user does not exist\n',
    ),
  )
  expect(dsn).toMatchObject({
    recipients: [{ action: 'delayed', verdict: { state: 'deferred', suppress: false } }],
  })
})
