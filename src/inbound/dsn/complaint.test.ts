import { expect, test } from 'vitest'
import { readDsn } from './read-dsn.ts'

/** Returns a message with a header and a body and CRLF line ends. */
function message(header: readonly string[], ...body: readonly string[]): Buffer {
  return Buffer.from([...header, '', ...body].join('\n').replaceAll('\n', '\r\n'))
}

const feedback = (fields: string, returned = 'To: ann@x.test\nMessage-ID: <1@shop.test>\n\nx') =>
  message(
    ['From: fbl@isp.test', 'Content-Type: multipart/report; report-type=feedback-report; boundary=b'],
    '--b',
    '',
    'This is a report.',
    '--b',
    'Content-Type: message/feedback-report',
    '',
    fields,
    '--b',
    'Content-Type: message/rfc822',
    '',
    returned,
    '--b--',
  )

test('complaint: every recipient of the report, once (RFC 5965 appendix B)', () => {
  const fields =
    'Feedback-Type: abuse\nUser-Agent: SomeGenerator/1.0\nVersion: 1\nOriginal-Rcpt-To: <ann@x.test>\nOriginal-Rcpt-To: bob@x.test\nOriginal-Rcpt-To: bob@x.test'
  expect(readDsn(feedback(fields))).toMatchObject({
    kind: 'complaint',
    feedback: 'abuse',
    recipients: ['ann@x.test', 'bob@x.test'],
    returned: { messageId: '1@shop.test' },
  })
})

test('complaint: the recipient of the returned message, if the report names none', () => {
  expect(readDsn(feedback('Feedback-Type: Abuse\nVersion: 1'))).toMatchObject({
    feedback: 'abuse',
    recipients: ['ann@x.test'],
  })
})

test.each(['auth-failure', 'opt-out', 'not-spam', 'fraud', 'virus', 'other'])(
  'complaint of the kind %s',
  (kind) => {
    expect(readDsn(feedback(`Version: 1\n\nFeedback-Type: ${kind}`))).toMatchObject({ feedback: kind })
  },
)

test('complaint: a message sent back without a report (JMRP)', () => {
  const content = message(
    [
      'From: staff@hotmail.test',
      'Subject: complaint about message from 192.0.2.1',
      'Content-Type: multipart/mixed; boundary=b',
    ],
    '--b',
    'Content-Type: message/rfc822',
    '',
    'X-HmXmrOriginalRecipient: ann@x.test\nTo: list@x.test\n\nx',
    '--b--',
  )
  expect(readDsn(content)).toMatchObject({
    kind: 'complaint',
    feedback: 'abuse',
    recipients: ['ann@x.test'],
  })
})
