import { describe, expect, test } from 'vitest'
import { readDsn } from './read-dsn.ts'

/** Returns a message with a header and a body and CRLF line ends. */
function message(header: readonly string[], ...body: readonly string[]): Buffer {
  return Buffer.from([...header, '', ...body].join('\n').replaceAll('\n', '\r\n'))
}

const MAILER = 'From: Mail Delivery Subsystem <MAILER-DAEMON@mx.test>'
const REPORT = [MAILER, 'Subject: Returned mail', 'Content-Type: multipart/report; boundary="b"']

function report(fields: string, words = 'It could not be delivered.'): Buffer {
  return message(
    REPORT,
    '--b',
    '',
    words,
    '--b',
    'Content-Type: message/delivery-status',
    '',
    fields,
    '--b--',
  )
}

function bounceOf(words: string, subject = 'failure notice'): Buffer {
  return message([MAILER, `Subject: ${subject}`], words)
}

function recipientsOf(content: Buffer) {
  const dsn = readDsn(content)
  return dsn.kind === 'delivery_status' ? dsn.recipients : []
}

const PER_MESSAGE = 'Reporting-MTA: dns; cs.utk.test\n\n'

describe('delivery status fields', () => {
  test('failed, delayed and delivered: the example with several recipients (RFC 3464 appendix E)', () => {
    const fields = `${PER_MESSAGE}Original-Recipient: rfc822;arathib@vnet.test
Final-Recipient: rfc822;arathib@vnet.test
Action: failed
Status: 5.0.0 (permanent failure)
Diagnostic-Code: smtp; 550 'arathib@vnet.test' is not a
 registered gateway user
Remote-MTA: dns; vnet.test

Original-Recipient: rfc822;johnh@hpnjld.test
Final-Recipient: rfc822;johnh@hpnjld.test
Action: delayed
Status: 4.0.0 (hpnjld.test: host name lookup failure)

Original-Recipient: rfc822;wsnell@sdcc13.test
Final-Recipient: rfc822;wsnell@sdcc13.test
Action: failed
Status: 5.0.0
Diagnostic-Code: smtp; 550 user unknown
Remote-MTA: dns; sdcc13.test

Final-Recipient: rfc822;well@there.test
Action: delivered
Status: 2.0.0
`
    expect(recipientsOf(report(fields))).toMatchObject([
      {
        address: 'arathib@vnet.test',
        action: 'failed',
        response: "550 'arathib@vnet.test' is not a registered gateway user",
        smtpCode: 550,
        enhancedCode: '5.0.0',
        mxHost: 'vnet.test',
      },
      {
        address: 'johnh@hpnjld.test',
        action: 'delayed',
        verdict: { state: 'deferred', category: 'dns_trouble' },
      },
      { address: 'wsnell@sdcc13.test', verdict: { category: 'no_such_address', suppress: true } },
      { address: 'well@there.test', action: 'delivered', verdict: null },
    ])
  })

  test('bounced, and suppressed, for 5.1.1: the reply is more specific than the Status field', () => {
    const fields = `${PER_MESSAGE}Final-Recipient: rfc822; ann@mx.test
Action: failed
Status: 5.0.0
Diagnostic-Code: smtp; 550 5.1.1 <ann@mx.test>: Recipient address rejected: User unknown`
    expect(recipientsOf(report(fields))).toMatchObject([
      {
        enhancedCode: '5.1.1',
        verdict: { state: 'bounced', category: 'no_such_address', fault: 'recipient', suppress: true },
      },
    ])
  })

  test.each([
    [
      'no empty line between recipients',
      'Final-Recipient: rfc822; a@x.test\nAction: failed\nStatus: 5.1.1\nFinal-Recipient: rfc822; b@x.test\nAction: failed\nStatus: 5.1.1',
      ['a@x.test', 'b@x.test'],
    ],
    [
      'empty lines inside of a recipient',
      'Final-Recipient: rfc822; a@x.test\n\nAction: failed\nStatus: 5.1.1',
      ['a@x.test'],
    ],
    ['no type', 'Final-Recipient: a@x.test\nAction: failed\nStatus: 5.1.1', ['a@x.test']],
    [
      'brackets',
      'Final-Recipient: RFC822; <a@x.test>\nAction: Failed (gave up)\nStatus: 5.1.1',
      ['a@x.test'],
    ],
    [
      'UTF-8 (RFC 6533)',
      'Final-Recipient: utf-8; j\\x{F6}rg@x.test\nAction: failed\nStatus: 5.1.1',
      ['jörg@x.test'],
    ],
    [
      'X.400, beside the original',
      'Original-Recipient: rfc822; a@x.test\nFinal-Recipient: x400; /S=a/O=x/\nAction: failed\nStatus: 5.1.1',
      ['a@x.test'],
    ],
    [
      'a program',
      'Final-Recipient: unix; |/usr/bin/procmail\nAction: failed\nStatus: 5.3.0',
      ['|/usr/bin/procmail'],
    ],
    [
      'a status that Action contradicts',
      'Final-Recipient: rfc822; a@x.test\nAction: failed\nStatus: 4.4.7',
      ['a@x.test'],
    ],
  ])('failed: fields with %s', (_, fields, addresses) => {
    const recipients = recipientsOf(report(`${PER_MESSAGE}${fields}`))
    expect(recipients.map(({ address }) => address)).toEqual(addresses)
    for (const { action, verdict } of recipients) {
      expect(action).toBe('failed')
      expect(verdict?.state).not.toBe('deferred')
    }
  })

  test('failed: fields in a text part, in a part of a wrong type, and without any part', () => {
    const fields = `${PER_MESSAGE}Final-Recipient: rfc822; a@x.test\nAction: failed\nStatus: 5.1.1`
    const wanted = [{ address: 'a@x.test', action: 'failed', verdict: { suppress: true } }]
    expect(recipientsOf(bounceOf(`Sorry.\n\n${fields}`))).toMatchObject(wanted)
    expect(recipientsOf(message(REPORT, '--b', 'Content-Type: text/x-status', '', fields))).toMatchObject(
      wanted,
    )
    expect(recipientsOf(message(REPORT, 'Sorry.', '', fields))).toMatchObject(wanted)
  })

  test('failed: encoded parts, without empty lines, with other delimiters than the header names', () => {
    const fields = `${PER_MESSAGE}Final-Recipient: rfc822; a@x.test\nAction: failed\nStatus: 5.1.1\n`
    const base64 = ['Content-Type: message/delivery-status', 'Content-Transfer-Encoding: base64', '']
    const wanted = [{ address: 'a@x.test', verdict: { suppress: true } }]
    const encoded = [...base64, Buffer.from(fields).toString('base64')]
    expect(recipientsOf(message(REPORT, '--b', ...encoded, '--b--'))).toMatchObject(wanted)
    expect(recipientsOf(message(REPORT, '--other', ...encoded, '--other--'))).toMatchObject(wanted)
  })

  test('returned: the header of the returned message', () => {
    const dsn = readDsn(
      message(
        REPORT,
        '--b',
        'Content-Type: message/delivery-status',
        '',
        'Final-Recipient: rfc822; a@x.test\nAction: failed\nStatus: 5.1.1',
        '--b',
        'Content-Type: message/rfc822',
        '',
        'Return-Path: <token@bounce.test>\nMessage-ID: <1@shop.test>\nSubject: Hello\n\nBody',
        '--b--',
      ),
    )
    expect(dsn).toMatchObject({ returned: { returnPath: 'token@bounce.test', messageId: '1@shop.test' } })
    const header = dsn.kind === 'delivery_status' ? dsn.returned.header?.toString() : ''
    expect(header).toMatch(/^Return-Path: .*\r\nMessage-ID: .*\r\nSubject: Hello\r\n$/)
  })

  test("escaped and cut: the server's reply", () => {
    const fields = `Final-Recipient: rfc822; a@x.test\nAction: failed\nDiagnostic-Code: smtp; 550 \u001b[31m${'é'.repeat(3000)}`
    const [recipient] = recipientsOf(report(fields))
    expect(recipient?.response).toMatch(/^550 \\x1b\[31mé+$/)
    expect(Buffer.byteLength(recipient?.response ?? '')).toBeLessThanOrEqual(1024)
  })
})

describe('text alone', () => {
  test.each([
    [
      'qmail (QSBMF)',
      "Hi. This is the qmail-send program at mx.test.\nI'm afraid I wasn't able to deliver your message to the following addresses.\nThis is a permanent error; I've given up. Sorry it didn't work out.\n\n<ann@x.test>:\nSorry, no mailbox here by that name. (#5.1.1)\n\n<bob@x.test>:\n192.0.2.1 does not like recipient.\nRemote host said: 552 5.2.2 mailbox full\nGiving up on 192.0.2.1.\n\n--- Below this line is a copy of the message.\n\nReturn-Path: <a@b.test>\n",
      [
        { address: 'ann@x.test', verdict: { category: 'no_such_address', suppress: true } },
        { address: 'bob@x.test', smtpCode: 552, verdict: { category: 'mailbox_full', suppress: false } },
      ],
    ],
    [
      'Exim',
      'A message that you sent could not be delivered to one or more of its\nrecipients. The following address(es) failed:\n\n  ann@x.test\n    host mx.x.test [192.0.2.1]\n    SMTP error from remote mail server after RCPT TO:<ann@x.test>:\n    550-Verification failed\n    550 Unknown user\n  bob@x.test\n    retry timeout exceeded\n\n------ This is a copy of the message, including all the headers. ------\n',
      [
        { address: 'ann@x.test', mxHost: 'mx.x.test', verdict: { state: 'bounced' } },
        { address: 'bob@x.test', verdict: { category: 'expired', suppress: false } },
      ],
    ],
    [
      'Postfix',
      "I'm sorry to have to inform you that your message could not\nbe delivered to one or more recipients.\n\n<ann@x.test>: host mx.x.test[192.0.2.1] said: 550 No such user (in\n    reply to RCPT TO command)\n\n<bob@x.test>: host mx.x.test[192.0.2.1] said: 550 User unknown (in reply to\n    end of DATA command)\n",
      [
        { address: 'ann@x.test', verdict: { category: 'no_such_address', suppress: true } },
        { address: 'bob@x.test', verdict: { category: 'address_doubted', suppress: false } },
      ],
    ],
    [
      'Sendmail',
      '   ----- The following addresses had permanent fatal errors -----\n<ann@x.test>\n    (reason: 550 5.1.1 <ann@x.test>... User unknown)\n\n   ----- Transcript of session follows -----\n... while talking to mx.x.test.:\n>>> RCPT To:<ann@x.test>\n<<< 550 5.1.1 <ann@x.test>... User unknown\n550 5.1.1 <ann@x.test>... User unknown\n',
      [{ address: 'ann@x.test', enhancedCode: '5.1.1', verdict: { suppress: true } }],
    ],
    [
      'Exchange',
      "Delivery has failed to these recipients or groups:\n\nann@x.test<mailto:ann@x.test>\nThe email address you entered couldn't be found.\n\nDiagnostic information for administrators:\nGenerating server: a.prod.outlook.com\nann@x.test\nRemote Server returned '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found'\n",
      [{ address: 'ann@x.test', enhancedCode: '5.1.10', verdict: { suppress: true } }],
    ],
    [
      'a gateway (InterScan) with its transcript',
      'Unable to deliver message to <ann@x.test>\nSent >>> RCPT TO:<ann@x.test>\nReceived <<< 550 Unknown user\n',
      [{ address: 'ann@x.test', smtpCode: 550, verdict: { suppress: true } }],
    ],
    [
      'a gateway (Cisco) around the reply',
      "The following message to <ann@x.test> was undeliverable.\nThe reason for the problem:\n5.1.0 - Unknown address error 550-'5.7.1 Access denied' (delivery attempts: 0)\n",
      [{ address: 'ann@x.test', smtpCode: 550, enhancedCode: '5.7.1', verdict: { suppress: false } }],
    ],
    [
      'Domino, in Japanese',
      'was not delivered to:\n\n  ann@x.test\n\nbecause:\n\n  ユーザー ann は Domino ディレクトリには見つかりません。\n',
      [{ address: 'ann@x.test', verdict: { category: 'no_such_address', suppress: true } }],
    ],
    [
      'a gateway that names no recipient',
      'Your message was rejected: 554 5.7.1 spam detected\n\n----- Original message -----\nFrom: a@b.test\nTo: ann@x.test\n',
      [{ address: 'ann@x.test', verdict: { category: 'spam', state: 'rejected' } }],
    ],
  ])('failed: %s', (_, words, wanted) => {
    expect(recipientsOf(bounceOf(words))).toMatchObject(wanted)
  })

  test('delayed: a warning, and nothing final', () => {
    const words =
      'THIS IS A WARNING MESSAGE ONLY.\nDelivery to the following recipient has been delayed:\n\n  ann@x.test\n\n550 5.1.1 was not said. Message will be retried for 2 more days\n'
    expect(recipientsOf(bounceOf(words, 'Delivery Status Notification (Delay)'))).toMatchObject([
      { address: 'ann@x.test', action: 'delayed', verdict: { state: 'deferred', suppress: false } },
    ])
  })

  test('delivered: a success is not a bounce', () => {
    const words = 'Your message was successfully delivered to <ann@x.test>.'
    expect(recipientsOf(bounceOf(words, 'Successful Mail Delivery Report'))).toMatchObject([
      { action: 'delivered', verdict: null },
    ])
  })

  test('failed: an event of Amazon SES in the text', () => {
    const event = {
      notificationType: 'Bounce',
      bounce: {
        bounceType: 'Permanent',
        bouncedRecipients: [
          {
            emailAddress: 'ann@x.test',
            action: 'failed',
            status: '5.1.1',
            diagnosticCode: 'smtp; 550 5.1.1 user unknown',
          },
        ],
      },
    }
    const content = message(
      ['From: no-reply@sns.test', 'Subject: AWS'],
      JSON.stringify(event),
      '',
      '--',
      'Bye',
    )
    expect(recipientsOf(content)).toMatchObject([{ address: 'ann@x.test', verdict: { suppress: true } }])
  })

  test('failed: an event of Amazon SES with an invalid status and text that no database stores', () => {
    const bouncedRecipients = [{ emailAddress: 'ann@x.test', status: `5.1.1x\0\ud800${'9'.repeat(1000)}` }]
    const event = { notificationType: 'Bounce', bounce: { bounceType: 'Permanent', bouncedRecipients } }
    expect(recipientsOf(message(['Subject: AWS'], JSON.stringify(event)))).toMatchObject([
      { address: 'ann@x.test', action: 'failed', enhancedCode: null },
    ])
  })

  test('unknown: an event of Amazon SES without a recipient', () => {
    const event = { notificationType: 'Bounce', bounce: { bouncedRecipients: [] } }
    expect(readDsn(message(['Subject: AWS'], JSON.stringify(event)))).toEqual({ kind: 'unknown' })
  })
})

describe('not a bounce', () => {
  test.each([
    [
      'Auto-Submitted (RFC 3834)',
      ['From: ann@x.test', 'Subject: Re: Payment failed', 'Auto-Submitted: auto-replied'],
    ],
    ['X-Autoreply', ['From: ann@x.test', 'Subject: Undeliverable parcel', 'X-Autoreply: yes']],
    [
      'an empty return path',
      ['Return-Path: <>', 'From: ann@x.test', 'Subject: Automatic reply: Payment failed'],
    ],
    ['Precedence', ['From: ann@x.test', 'Subject: Gone', 'Precedence: auto_reply']],
    ['the subject alone', ['From: ann@x.test', 'Subject: =?utf-8?q?Out_of_office=3A_I_am_away?=']],
    [
      'a read receipt (RFC 8098)',
      ['From: ann@x.test', 'Subject: Read: Hello', 'Content-Type: message/disposition-notification'],
    ],
  ])('auto_reply: %s', (_, header) => {
    const content = message(header, 'I am away and cannot answer. 550 is my room. Contact bob@x.test.')
    expect(readDsn(content)).toEqual({ kind: 'auto_reply' })
  })

  describe('a reply that quotes one of our messages about a third party', () => {
    const fields = 'Final-Recipient: rfc822; ann@shop.test\nAction: failed\nStatus: 5.1.1\n'
    const quoted = `I am away.\n\n-----Original Message-----\n${fields}`
    const report = `Content-Type: multipart/report; boundary=c\n\n--c\nContent-Type: message/delivery-status\n\n${fields}\n--c--`
    test.each([
      ['auto_reply', ['Subject: Automatic reply: Bounces', 'Auto-Submitted: auto-replied'], quoted],
      ['auto_reply', ['Subject: Re: Bounces', 'Auto-Submitted: auto-replied'], quoted],
      ['unknown', ['Subject: Re: Bounces'], quoted],
      [
        'auto_reply',
        ['Subject: Out of office', 'Content-Type: multipart/mixed; boundary=b'],
        `--b\n\nI am away.\n\n--b\nContent-Type: message/rfc822\n\n${report}\n--b--`,
      ],
    ])('%s: %j', (kind, header, body) => {
      expect(readDsn(message(['From: Bob <bob@x.test>', ...header], body))).toEqual({ kind })
    })
  })

  test("unknown: a person's reply, an empty message, anything else", () => {
    const answer = ['From: Ann <ann@x.test>', 'Subject: Re: Your payment failed']
    expect(readDsn(message(answer, 'I could not pay: error 550 5.1.1 user unknown'))).toEqual({
      kind: 'unknown',
    })
    expect(readDsn(message(['From: ann@x.test', 'Subject: Order failed'], 'Nothing.'))).toEqual({
      kind: 'unknown',
    })
    expect(readDsn(Buffer.alloc(0))).toEqual({ kind: 'unknown' })
    expect(readDsn(Buffer.from('x'))).toEqual({ kind: 'unknown' })
  })
})
