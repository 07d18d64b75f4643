import { describe, expect, test } from 'vitest'
import { PASSES_MAX, passesOf } from '../../test/support/passes.ts'
import { formatReply, ReplyParser } from '../delivery/client/smtp-reply.ts'
import { adviseVerdict } from './advise.ts'
import { classifyDns, classifyFailure, classifyReply, enhancedCodeOf } from './classify.ts'
import type { FailureKind, Stage } from './stages.ts'

/** A reply as it came over the wire: our parser is part of what is tested. */
function classify(line: string, stage: Stage = 'rcpt') {
  const reply = new ReplyParser().push(Buffer.from(`${line}\r\n`))[0]
  if (reply === undefined) throw new Error(`not a reply: ${line}`)
  return classifyReply(reply, stage)
}

type Row = readonly [state: string, category: string, suppress: 'suppress' | '', reply: string, stage?: Stage]

// Replies as servers give them; sources: the providers' own pages, Postfix, Exim, Sendmail and Exchange as shipped, and
// the public set of bounces of the Sisimai project.
const REPLIES: readonly Row[] = [
  // Gmail
  [
    'delivered',
    'accepted',
    '',
    '250 2.0.0 OK  1700000000 d9443c01a7336-1cc29f7a8bcsi5113275ad.262 - gsmtp',
    'dot',
  ],
  [
    'bounced',
    'no_such_address',
    'suppress',
    "550-5.1.1 The email account that you tried to reach does not exist. Please try\r\n550-5.1.1 double-checking the recipient's email address for typos or\r\n550 5.1.1 unnecessary spaces. Learn more at https://support.google.com/mail/?p=NoSuchUser - gsmtp",
  ],
  [
    'bounced',
    'address_disabled',
    'suppress',
    '550-5.2.1 The email account that you tried to reach is disabled. Learn more at\r\n550 5.2.1 https://support.google.com/mail/?p=DisabledUser - gsmtp',
  ],
  [
    'bounced',
    'mailbox_full',
    '',
    "552-5.2.2 The recipient's inbox is out of storage space and inactive. Please direct\r\n552 5.2.2 the recipient to https://support.google.com/mail/?p=OverQuotaPerm - gsmtp",
  ],
  [
    'deferred',
    'mailbox_full',
    '',
    "452-4.2.2 The recipient's inbox is out of storage space. Please direct the\r\n452 4.2.2 recipient to https://support.google.com/mail/?p=OverQuotaTemp - gsmtp",
  ],
  [
    'bounced',
    'authentication_failed',
    '',
    '550-5.7.26 This mail has been blocked because the sender is unauthenticated.\r\n550 5.7.26 Gmail requires all senders to authenticate with either SPF or DKIM. - gsmtp',
    'dot',
  ],
  [
    'bounced',
    'authentication_failed',
    '',
    '550-5.7.26 The MAIL FROM domain [email.example.jp] has an SPF record with a hard fail\r\n550 5.7.26 policy (-all) but it fails to pass SPF checks with the ip: [192.0.2.24].',
    'dot',
  ],
  [
    'bounced',
    'authentication_failed',
    '',
    "550-5.7.26 Unauthenticated email from example.com is not accepted due to domain's\r\n550 5.7.26 DMARC policy. Please contact the administrator of example.com domain",
    'dot',
  ],
  [
    'rejected',
    'spam',
    '',
    '550-5.7.1 [192.0.2.1 12] Our system has detected that this message is likely\r\n550-5.7.1 unsolicited mail. To reduce the amount of spam sent to Gmail, this\r\n550 5.7.1 message has been blocked. - gsmtp',
    'dot',
  ],
  [
    'deferred',
    'rate_limited',
    '',
    '421-4.7.28 Gmail has detected an unusual rate of unsolicited mail originating\r\n421 4.7.28 from your IP address. To protect our users from spam, mail has been temporarily rate limited. - gsmtp',
    'dot',
  ],
  [
    'deferred',
    'rate_limited',
    '',
    '450-4.2.1 The user you are trying to contact is receiving mail at a rate that\r\n450 4.2.1 prevents additional messages from being delivered. - gsmtp',
  ],
  [
    'rejected',
    'malformed_message',
    '',
    '550-5.7.1 This message is not RFC 5322 compliant. There are multiple Subject\r\n550 5.7.1 headers. To reduce the amount of spam sent to Gmail, this message has been blocked.',
    'dot',
  ],
  [
    'rejected',
    'malformed_message',
    '',
    '550-5.7.1 [192.0.2.222 13] Messages with multiple addresses in From:\r\n550 5.7.1 header are not accepted. - gsmtp',
    'dot',
  ],
  [
    'rejected',
    'virus',
    '',
    '552-5.7.0 This message was blocked because its content presents a potential\r\n552 5.7.0 security issue. Please visit https://support.google.com/mail/?p=BlockedMessage',
    'dot',
  ],
  [
    'bounced',
    'too_large',
    '',
    "552-5.3.4 Your message exceeded Google's message size limits. Please visit\r\n552 5.3.4 https://support.google.com/mail/?p=MaxSizeError - gsmtp",
    'dot',
  ],
  // Outlook.com, Exchange Online
  [
    'bounced',
    'no_such_address',
    'suppress',
    '550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302). Recipient address not found',
  ],
  [
    'bounced',
    'no_such_address',
    'suppress',
    '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient ann@contoso.test not found by SMTP address lookup',
  ],
  [
    'bounced',
    'no_such_address',
    'suppress',
    '550 5.4.1 Recipient address rejected: Access denied. AS(201806281) [DM6NAM10FT034.eop-nam10.prod.protection.outlook.com]',
  ],
  [
    'bounced',
    'blocked',
    '',
    "550 5.7.1 Unfortunately, messages from [192.0.2.1] weren't sent. Please contact your Internet service provider since part of their network is on our block list (S3150).",
    'mail',
  ],
  [
    'bounced',
    'blocked',
    '',
    '550 5.7.606 Access denied, banned sending IP [198.51.100.222]. To request removal from this list please visit https://sender.office.com/',
  ],
  [
    'bounced',
    'authentication_failed',
    '',
    '550 5.7.509 Access denied, sending domain [EXAMPLE.COM] does not pass DMARC verification and has a DMARC policy of reject.',
    'dot',
  ],
  [
    'bounced',
    'authentication_failed',
    '',
    '550 5.7.515 Access denied, sending domain EXAMPLE.COM does not meet the required authentication level.',
    'dot',
  ],
  [
    'deferred',
    'rate_limited',
    '',
    '451 4.7.500 Server busy. Please try again later from [192.0.2.1]. (S77719) [AM7EUR03FT012.eop-EUR03.prod.protection.outlook.com]',
    'mail',
  ],
  [
    'deferred',
    'rate_limited',
    '',
    '421 RP-001 The mail server IP connecting to Outlook.com server has exceeded the rate limit allowed.',
    'mail',
  ],
  [
    'bounced',
    'mailbox_full',
    '',
    '550 5.2.2 STOREDRV.Deliver: mailbox full. The following information should help identify the cause: "MapiExceptionShutoffQuotaExceeded"',
    'dot',
  ],
  [
    'bounced',
    'too_large',
    '',
    '550 5.2.3 RESOLVER.RST.RecipSizeLimit; message too large for this recipient',
    'dot',
  ],
  ['bounced', 'no_such_address', 'suppress', '550 5.1.1 RESOLVER.ADR.RecipNotFound; not found', 'dot'],
  [
    'bounced',
    'authentication_failed',
    '',
    "550 5.1.0 192.0.2.222 is not allowed to send from <example.net> per it's SPF Record. Please inspect your SPF settings, and try again.",
  ],
  ['bounced', 'system_trouble', '', '550 5.4.316 Message expired, connection refused', 'dot'],
  ['deferred', 'system_trouble', '', '451 4.3.2 System not accepting network messages', 'mail'],
  // Yahoo, AOL
  [
    'bounced',
    'no_such_address',
    'suppress',
    "554 delivery error: dd This user doesn't have a yahoo.com account (this-local-part-does-not-exist@yahoo.com) [0] - mta1061.mail.ne1.yahoo.com",
    'dot',
  ],
  ['bounced', 'no_such_address', 'suppress', '552 1 Requested mail action aborted, mailbox not found'],
  [
    'deferred',
    'rate_limited',
    '',
    '421 4.7.0 [TSS04] Messages from 192.0.2.192 temporarily deferred due to unexpected volume or user complaints - 4.16.55.1; see https://postmaster.verizonmedia.com/error-codes',
    'mail',
  ],
  [
    'bounced',
    'policy_refused',
    '',
    '554 5.7.9 Message not accepted for policy reasons. See https://postmaster.verizonmedia.com/error-codes',
    'dot',
  ],
  [
    'bounced',
    'blocked',
    '',
    "553 5.7.1 [BL21] Connections will not be accepted from 192.0.2.1, because the ip is in Spamhaus's list",
    'mail',
  ],
  // Apple, GMX, Orange, T-Online, Mail.ru, QQ
  [
    'bounced',
    'address_disabled',
    'suppress',
    '550 5.1.1 <pseudo-local-part-of-icloud@icloud.com>: inactive email address',
  ],
  [
    'deferred',
    'no_reverse_dns',
    '',
    '554-mail.test (mxgmxus002) Nemesis ESMTP Service not available\r\n554-No SMTP service\r\n554 Bad DNS PTR resource record.',
    'greeting',
  ],
  [
    'bounced',
    'no_such_address',
    'suppress',
    '550 5.1.1 Adresse d au moins un destinataire invalide. Invalid recipient. OFR_416 [416]',
  ],
  [
    'bounced',
    'no_such_address',
    'suppress',
    '550 5.5.0 Adresse destinataire invalide. Invalid recipient. LPN007_416',
  ],
  [
    'deferred',
    'system_trouble',
    '',
    '450 4.2.0 Service refuse. Veuillez essayer plus tard. Service refused, please try later. OFR005_505 [505]',
    'mail',
  ],
  [
    'deferred',
    'host_refuses',
    '',
    '554 IP=192.0.2.254 - A problem occurred. (Ask your postmaster for help or to contact neko@example.org to clarify.)',
    'greeting',
  ],
  [
    'deferred',
    'blocked',
    '',
    '554 IP=192.0.2.254 - A problem occurred. (Ask your postmaster for help or to contact neko@example.org to clarify.) (BL)',
    'greeting',
  ],
  ['bounced', 'address_suspended', '', '550 Mailbox is frozen. See http://mail.i.ua/err/3/'],
  [
    'bounced',
    'recipient_declines',
    '',
    '550 5.1.1 RCP-P2 http://postmaster.facebook.com/response_codes?ip=192.0.2.135#rcp Refused due to recipient preferences',
  ],
  // Postfix
  [
    'bounced',
    'no_such_address',
    'suppress',
    '550 5.1.1 <ann@rcpt.test>: Recipient address rejected: User unknown in virtual mailbox table',
  ],
  [
    'bounced',
    'no_such_address',
    'suppress',
    '550 5.1.1 <ann@rcpt.test>: Recipient address rejected: User unknown in local recipient table',
  ],
  [
    'bounced',
    'no_such_address',
    'suppress',
    '550 5.7.1 <pseudo-local-part@sfr.test>: Recipient address rejected: User unknown',
  ],
  [
    'failed',
    'sender_refused',
    '',
    '550 5.1.0 <bounce@sender.test>: Sender address rejected: User unknown in virtual mailbox table',
  ],
  [
    'failed',
    'sender_refused',
    '',
    '550 5.1.8 <bounce@sender.test>: Sender address rejected: Domain not found',
  ],
  ['failed', 'sender_refused', '', '501 5.1.8 Sender address rejected', 'mail'],
  ['bounced', 'relay_denied', '', '554 5.7.1 <ann@rcpt.test>: Relay access denied'],
  ['deferred', 'relay_denied', '', '454 4.7.1 <ann@rcpt.test>: Relay access denied'],
  [
    'bounced',
    'blocked',
    '',
    '554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org; https://www.spamhaus.org/query/ip/192.0.2.1',
  ],
  [
    'bounced',
    'blocked',
    '',
    '554 5.7.1 <mx.sender.test[203.0.113.22]>: Client host rejected: blocked using mail.neko.example.org; Please see http://mail.neko.example.org/rbl/?ip=203.0.113.22',
  ],
  [
    'deferred',
    'greylisted',
    '',
    '450 4.2.0 <ann@rcpt.test>: Recipient address rejected: Greylisted, see http://postgrey.schweikert.ch/help/rcpt.test.html',
  ],
  [
    'deferred',
    'no_reverse_dns',
    '',
    '450 4.7.1 Client host rejected: cannot find your reverse hostname, [192.0.2.1]',
  ],
  ['deferred', 'mailbox_full', '', '452 4.2.2 <ann@rcpt.test> Quota exceeded (mailbox for user is full)'],
  [
    'bounced',
    'mailbox_full',
    '',
    '552 5.2.2 <neko@nyaaan.example.org> Quota exceeded (mailbox for user is full)',
    'dot',
  ],
  ['deferred', 'system_trouble', '', '452 4.3.1 Insufficient system storage', 'mail'],
  ['bounced', 'too_large', '', '552 5.3.4 Message size exceeds fixed limit', 'mail'],
  ['deferred', 'rate_limited', '', '450 4.7.1 Error: too much mail from 192.0.2.1', 'mail'],
  [
    'deferred',
    'rate_limited',
    '',
    '421 4.7.0 mx.rcpt.test Error: too many connections from 192.0.2.1',
    'greeting',
  ],
  ['deferred', 'rate_limited', '', '452 4.3.2 Connection rate limit exceeded.', 'mail'],
  ['deferred', 'policy_refused', '', '451 4.7.1 <ann@rcpt.test>: please go on elsewhere'],
  ['bounced', 'routing_loop', '', '554 5.4.6 Too many hops', 'dot'],
  // Exim
  ['bounced', 'no_such_address', 'suppress', '550 No such user here'],
  ['bounced', 'no_such_address', 'suppress', '550 Unrouteable address'],
  ['bounced', 'no_such_address', 'suppress', '550 No Such User Here"'],
  [
    'failed',
    'sender_refused',
    '',
    '550-Verification failed for <bounce@sender.test>\r\n550-Called:   192.0.2.1\r\n550-Sent:     RCPT TO:<bounce@sender.test>\r\n550-Response: 550 5.1.1 User unknown\r\n550 Sender verify failed',
  ],
  ['bounced', 'relay_denied', '', '550 relay not permitted'],
  [
    'deferred',
    'greylisted',
    '',
    '451 Temporary local problem: greylisting in action, please come back later',
  ],
  ['rejected', 'spam', '', '550 This message was classified as SPAM and may not be delivered', 'dot'],
  [
    'failed',
    'no_reverse_dns',
    '',
    '550 5.7.1 Connections not accepted from servers without a valid sender domain. Fix reverse DNS for 203.0.113.2',
  ],
  [
    'bounced',
    'authentication_failed',
    '',
    '550 Bad SPF records for [example.org:192.0.2.2], see http://spf.pobox.com/',
  ],
  ['bounced', 'refused', '', '550 Rejected'],
  ['bounced', 'mailbox_full', '', '552 mailbox is full: over quota', 'dot'],
  // Sendmail and others
  ['bounced', 'no_such_address', 'suppress', '550 5.1.1 <userunknown@bouncehammer.jp>... User Unknown'],
  ['bounced', 'no_such_address', 'suppress', '550 5.1.1 Requested action not taken: mailbox unavailable'],
  [
    'bounced',
    'no_such_domain',
    'suppress',
    '550 5.1.2 <ann@rcpt.test>... Host unknown (Name server: rcpt.test: host not found)',
  ],
  ['bounced', 'address_moved', 'suppress', '551 5.1.6 recipient no longer on server: kijitora@example.jp'],
  ['bounced', 'address_moved', 'suppress', '551 not our customer'],
  ['bounced', 'null_mx', 'suppress', '556 5.1.10 Recipient address has null MX'],
  ['bounced', 'address_suspended', '', '525 5.7.13 Disabled recipient address'],
  ['deferred', 'rate_limited', '', '552 Too many recipients'],
  ['bounced', 'policy_refused', '', '550 5.7.1 Access denied'],
  ['bounced', 'policy_refused', '', '550 Denied by policy', 'data'],
  ['bounced', 'policy_refused', '', '550 Protocol violation', 'data'],
  ['rejected', 'virus', '', '550 Virus Detected; Content Rejected', 'dot'],
  ['rejected', 'content_refused', '', '554 5.6.0 Message content rejected', 'dot'],
  ['rejected', 'malformed_message', '', '554 5.7.9 Header error', 'dot'],
  ['bounced', 'system_trouble', '', '554 Service currently unavailable', 'dot'],
  ['bounced', 'system_trouble', '', '550 5.3.5 <kuroneko@example.org>... Internal System Error', 'dot'],
  ['deferred', 'temporary', '', '450 4.0.0 Not now'],
  ['failed', 'protocol_refused', '', '503 5.5.1 Bad sequence of commands', 'mail'],
  ['deferred', 'login_refused', '', '535 5.7.8 Error: authentication failed', 'auth'],
  ['deferred', 'login_refused', '', '530 5.7.0 Must issue a STARTTLS command first', 'mail'],
  ['bounced', 'refused', '', '550 5.1.0 No', 'dot'],
  ['bounced', 'no_such_address', 'suppress', '550 Utilisateur inconnu !'],
  ['bounced', 'no_such_address', 'suppress', '550 No account by that name here'],
  ['bounced', 'address_suspended', '', '550 5.7.1 This account is suspended'],
  // Not the recipient's fault, whatever the words: no address is suppressed.
  ['failed', 'sender_refused', '', '550 Your domain does not exist'],
  ['failed', 'sender_refused', '', '550 Unroutable sender address'],
  ['bounced', 'policy_refused', '', '550 <mail.example.net>: Helo command rejected: Host not found'],
  ['failed', 'sender_refused', '', '550 5.1.1 user unknown', 'mail'],
  ['deferred', 'host_refuses', '', '550 5.1.1 user unknown', 'ehlo'],
  [
    'deferred',
    'no_such_address',
    '',
    '450 4.1.1 <ann@rcpt.test>: Recipient address rejected: unverified address: Address lookup failed',
  ],
  ['bounced', 'blocked', '', '550 5.1.1 Your address 192.0.2.1 is blacklisted, mailbox unavailable'],
]

describe('replies', () => {
  for (const [state, category, suppress, reply, stage] of REPLIES) {
    test(`${state} as ${category}: ${reply.slice(0, 120)}`, () => {
      const verdict = classify(reply, stage)
      expect({ state: verdict.state, category: verdict.category, suppress: verdict.suppress }).toEqual({
        state,
        category,
        suppress: suppress === 'suppress',
      })
      expect(adviseVerdict(verdict)).toMatch(/^[A-Z].*\.$/)
    })
  }

  test('bounced: unspecific words with a known meaning at one provider', () => {
    const reply = { code: 550, enhanced: '5.5.0', text: 'Requested action not taken: mailbox unavailable' }
    const host = 'hotmail-com.olc.protection.outlook.com'
    expect(classifyReply(reply, 'rcpt', host)).toMatchObject({ category: 'no_such_address', suppress: true })
    expect(classifyReply(reply, 'rcpt', 'mx.test')).toMatchObject({ suppress: false })
  })

  test('deferred for every 4xx, with any text at any stage; never suppressed', () => {
    for (const [, , , reply] of REPLIES) {
      for (const stage of ['greeting', 'mail', 'rcpt', 'dot'] as const) {
        const soft = reply.replace(/^[25](?=\d\d)/gm, '4').replace(/\b5(?=\.\d)/g, '4')
        expect(classify(soft, stage)).toMatchObject({ state: 'deferred', suppress: false })
      }
    }
  })

  test('never suppressed for a reply before RCPT', () => {
    for (const [, , , reply] of REPLIES.filter(([, , , text]) => text.startsWith('5'))) {
      for (const stage of ['greeting', 'ehlo', 'starttls', 'auth', 'mail'] as const) {
        const { suppress, state, category } = classify(reply, stage)
        expect(suppress, `${category}: ${reply}`).toBe(false)
        if (stage !== 'mail') expect(state).toBe('deferred')
      }
    }
  })

  test('never suppressed when the enhanced code contradicts the code', () => {
    expect(classify('550 4.1.1 User unknown')).toMatchObject({ state: 'bounced', suppress: false })
  })

  test('bounced: an enhanced code inside the text counts', () => {
    expect(classify('550 <ann@rcpt.test> 5.2.2 sorry')).toMatchObject({ category: 'mailbox_full' })
  })

  test('classified in linear time: texts that would cause catastrophic backtracking', () => {
    for (const piece of [
      'user ',
      'mailbox full ',
      'a',
      ' ',
      '(',
      'try again in 1',
      'sender ',
      'recipient domain ',
      '1.1.1.',
    ]) {
      // Longer than any reply that is read, so that one call takes long enough to be timed.
      const text = piece.repeat(65_536).slice(0, 65_536)
      const work = () => classifyReply({ code: 550, enhanced: null, text }, 'rcpt')
      expect(passesOf(work, text), JSON.stringify(piece)).toBeLessThan(PASSES_MAX)
    }
  })
})

describe('pauses', () => {
  test.each([
    ['451 4.7.1 Greylisting in action, please try again in 00:04:59', 299_000],
    ['450 4.2.0 Greylisted for 300 seconds', 300_000],
    ['450 4.2.0 Greylisted, try again in 5 minutes', 300_000],
    ['421 4.7.0 Too many connections, please retry in 30s', 30_000],
    ['451 Try again after 1 hour', 3_600_000],
    ['450 4.7.1 please wait at least 10 min. before retrying', 600_000],
    ['451 try again in 900 hours', 86_400_000],
    ['451 4.3.0 try again later', null],
    ['451 try again in 0 seconds', null],
    ['450 timeout of 300 s reached', null],
  ])('deferred: %s asks for %s ms', (reply, retryAfterMs) => {
    expect(classify(reply)).toMatchObject({ state: 'deferred', retryAfterMs })
  })

  test('bounced replies ask for no pause', () => {
    expect(classify('550 5.1.1 User unknown, try again in 5 minutes').retryAfterMs).toBeNull()
  })
})

describe('without a reply', () => {
  test.each<[FailureKind, Stage, string, string]>([
    ['refused_address', 'connect', 'failed', 'address_refused'],
    ['unreachable', 'connect', 'deferred', 'unreachable'],
    ['timeout', 'greeting', 'deferred', 'timeout'],
    ['closed', 'rcpt', 'deferred', 'connection_lost'],
    ['closed', 'dot', 'deferred', 'lost_after_content'],
    ['timeout', 'dot', 'deferred', 'lost_after_content'],
    ['aborted', 'mail', 'deferred', 'interrupted'],
    ['protocol', 'ehlo', 'deferred', 'protocol_broken'],
    ['tls_handshake', 'starttls', 'deferred', 'tls_failed'],
    ['tls_certificate', 'starttls', 'deferred', 'tls_required'],
    ['tls_unavailable', 'starttls', 'deferred', 'tls_required'],
    ['auth_unavailable', 'auth', 'deferred', 'login_refused'],
    ['auth_without_tls', 'auth', 'deferred', 'login_refused'],
    ['too_large', 'mail', 'bounced', 'too_large'],
    ['smtputf8_unsupported', 'mail', 'bounced', 'smtputf8_unsupported'],
    ['eight_bit_unsupported', 'mail', 'failed', 'eight_bit_unsupported'],
    ['bad_address', 'mail', 'failed', 'bad_address'],
  ])('%s at %s is %s as %s, and no address is suppressed', (kind, stage, state, category) => {
    expect(classifyFailure(kind, stage)).toMatchObject({ state, category, suppress: false })
  })

  test('our own refusals have the codes that the RFCs define', () => {
    expect(enhancedCodeOf('smtputf8_unsupported')).toBe('5.6.7')
    expect(enhancedCodeOf('too_large')).toBe('5.3.4')
    expect(enhancedCodeOf('null_mx')).toBe('5.1.10')
    expect(enhancedCodeOf('aborted')).toBeNull()
  })

  test('DNS responses: only nonexistence is final', () => {
    expect(classifyDns({ kind: 'null_mx' })).toMatchObject({
      state: 'bounced',
      category: 'null_mx',
      suppress: true,
    })
    expect(classifyDns({ kind: 'no_domain' })).toMatchObject({
      state: 'bounced',
      category: 'no_such_domain',
      suppress: true,
    })
    expect(classifyDns({ kind: 'no_mail_host' })).toMatchObject({ state: 'bounced', suppress: false })
    expect(classifyDns({ kind: 'temporary', reason: 'x' })).toMatchObject({
      state: 'deferred',
      fault: 'network',
      suppress: false,
    })
  })

  test('a reply reads as one line', () => {
    expect(formatReply({ code: 550, enhanced: '5.1.1', text: 'no' })).toBe('550 5.1.1 no')
  })
})
