import { describe, expect, test } from 'vitest'
import { classifyDsn, type DsnInput, isHardBounce } from './classify-dsn.ts'

function judge(given: Partial<DsnInput>) {
  return classifyDsn({
    action: 'failed',
    code: 550,
    enhanced: null,
    text: '',
    context: [],
    stage: 'rcpt',
    mxHost: '',
    reporter: '',
    ...given,
  })
}

// Replies in the words of servers' manuals and sources.
const DEAD = [
  'address not present in directory',
  'addressee unknown',
  'bad recipient',
  "can't accept user",
  'destination addresses were unknown',
  'email address could not be found',
  'is not a valid mailbox',
  'mail account does not exist',
  'no account by that name here',
  'no existe ese usuario ann',
  'no mail box available for this user',
  'no such person at this address',
  'sorry, no mailbox here by that name',
  'there is no one at this address',
  'this address no longer accepts mail',
  'this recipient is not in my validrcptto list',
  'unknown or illegal alias',
  'user missing home directory',
  'utilisateur inconnu !',
  'Benutzer unbekannt',
  'utente sconosciuto',
  'gebruiker onbekend',
  'destinatario inexistente',
  'vdeliver: invalid or unknown virtual user',
  'Recipient address rejected: undeliverable address: unknown user',
  'Mailbox not found. http://service.mail.qq.com',
  "This user doesn't have a example.com account",
  'RESOLVER.ADR.ExRecipNotFound; not found',
  'domain does not exist',
  'Host or domain name not found. Name service error for name=x.test type=A: Host not found',
  'all relevant MX records point to non-existent hosts',
  'Unrouteable address',
  'User has moved to somewhere else',
]
const ALIVE = [
  'mailbox is full',
  'user over quota',
  'User mailbox exceeds allowed size: ann@x.test',
  'Sender address rejected: Domain not found',
  'Domain of sender address a@b.test does not exist',
  'Unroutable sender address',
  'your domain does not exist',
  'from address does not exist',
  'sender user unknown',
  'cannot resolve your domain',
  'Client host rejected: cannot find your hostname',
  'Helo command rejected: Host not found',
  'reverse DNS lookup failed: host does not exist',
  'SPF check failed: domain does not exist',
  'Verification failed for sender: no such user',
  'authentication failed: user not found',
  'relaying denied',
  'user not local; we do not relay',
  "sorry, that domain isn't in my list of allowed rcpthosts",
  'account suspended',
  'mailbox is frozen',
  'recipient rejected: temporarily inactive',
  'account is temporarily limited',
  'recipient is only accepting mail from specific email addresses',
  'has restricted SMS e-mail',
  'Recipient address rejected: Greylisted',
  'retry timeout exceeded',
  'procmail: no such user',
  'unknown mailer error 1',
  'Host not found, try again',
  'Name server: host name lookup failure',
  'connection refused',
  'spam detected',
  'Invalid From header address',
  'posting to list prohibited',
]

describe('failed', () => {
  test.each(DEAD)('hard: %s', (text) => {
    expect(isHardBounce(judge({ text })), judge({ text }).category).toBe(true)
  })

  test.each(ALIVE)('not hard, and not suppressed: %s', (text) => {
    for (const given of [{ text }, { text, code: null }, { text, stage: null }]) {
      const verdict = judge(given)
      expect(isHardBounce(verdict), verdict.category).toBe(false)
      expect(verdict.suppress, verdict.category).toBe(false)
    }
  })

  test('final with any text; never hard or suppressed for a temporary reply', () => {
    for (const text of [...DEAD, ...ALIVE]) {
      const verdict = judge({ text, code: 450 })
      expect(verdict.state, text).toMatch(/^(bounced|failed|rejected)$/)
      expect(verdict.suppress, text).toBe(false)
      expect(isHardBounce(verdict), text).toBe(false)
    }
  })

  test.each(['account deactivated', 'this mailbox is disabled', '550 5.2.1 The account is disabled'])(
    'hard and suppressed, though it may come back: %s',
    (text) => {
      const verdict = judge({ text })
      expect(verdict).toMatchObject({ category: 'address_disabled', suppress: true, fault: 'recipient' })
      expect(isHardBounce(verdict)).toBe(true)
    },
  )

  test('hard with 5.4.1 only in the words of Exchange Online for an address that is not in its directory', () => {
    const words = 'Recipient address rejected: Access denied. AS(201806281)'
    for (const stage of ['rcpt', null] as const) {
      const verdict = judge({ enhanced: '5.4.1', text: `550 5.4.1 ${words}`, stage })
      expect(verdict).toMatchObject({ category: 'no_such_address', suppress: true })
      expect(isHardBounce(verdict)).toBe(true)
    }
    for (const given of [
      { enhanced: '5.4.1', text: '550 5.4.1 Relay Access Denied' },
      { enhanced: '5.4.1', text: '550 5.4.1 Access denied' },
      { enhanced: '5.4.1', text: '550 5.4.1 All recipients rejected: Access denied' },
      { enhanced: '5.4.1', text: '', code: null },
      { enhanced: '5.7.1', text: `550 5.7.1 ${words}` },
      { enhanced: null, text: `550 ${words}` },
      { enhanced: '4.4.1', text: `450 4.4.1 ${words}`, code: 450 },
    ]) {
      const verdict = judge(given)
      expect(isHardBounce(verdict), given.text).toBe(false)
      expect(verdict.suppress, given.text).toBe(false)
    }
  })

  // 5.1.1, 5.1.2, 5.1.6 and 5.1.10 suppress; malformed addresses and domains without hosts are dead too.
  test.each([
    ['5.1.1', 'no_such_address', true],
    ['5.1.2', 'no_such_domain', true],
    ['5.1.3', 'malformed_address', false],
    ['5.1.6', 'address_moved', true],
    ['5.1.10', 'no_such_address', true],
    ['5.4.4', 'no_mail_host', false],
  ])('hard by the registry of status codes: %s is %s', (enhanced, category, suppress) => {
    const verdict = judge({ enhanced, code: null, stage: null })
    expect(verdict).toMatchObject({ state: 'bounced', category, suppress })
    expect(isHardBounce(verdict)).toBe(true)
  })

  test.each([
    ['5.2.2', 'mailbox_full'],
    ['5.2.3', 'too_large'],
    ['5.3.4', 'too_large'],
    ['4.4.1', 'unreachable'],
    ['4.4.2', 'connection_lost'],
    ['4.4.3', 'dns_trouble'],
    ['5.4.6', 'routing_loop'],
    ['4.4.7', 'expired'],
    ['5.6.0', 'content_refused'],
    ['5.7.1', 'policy_refused'],
    ['5.7.13', 'address_suspended'],
    ['5.7.26', 'authentication_failed'],
  ])('not hard by the registry of status codes: %s is %s', (enhanced, category) => {
    const verdict = judge({ enhanced, code: null, stage: null })
    expect(verdict.category).toBe(category)
    expect(isHardBounce(verdict)).toBe(false)
    expect(verdict.suppress).toBe(false)
  })
})

describe('doubted', () => {
  const doubted = { state: 'bounced', category: 'address_doubted', suppress: false }

  test('the standard phrase after the content, or in a reply that a filter passed on', () => {
    expect(judge({ text: '550 User unknown', stage: 'rcpt' })).toMatchObject({ category: 'no_such_address' })
    expect(judge({ text: '550 User unknown', stage: 'dot' })).toMatchObject(doubted)
    expect(judge({ text: '550 User unknown', stage: null, reporter: 'a.mxlogic.net' })).toMatchObject(doubted)
    const text = '550 - Requested action not taken: no such user here'
    expect(judge({ text, stage: null })).toMatchObject(doubted)
  })

  test('not doubted with a code, the address or more text than the phrase', () => {
    const believed = { suppress: true, category: 'no_such_address' }
    expect(judge({ text: '550 5.1.1 User unknown', enhanced: '5.1.1', stage: 'dot' })).toMatchObject(believed)
    // Beside its recipient, without a command.
    expect(judge({ text: '550 User unknown', stage: null })).toMatchObject(believed)
    expect(judge({ text: '550 <ann@x.test>: User unknown', stage: null })).toMatchObject(believed)
    // Not a server's reply: the words of the DSN's author.
    expect(judge({ text: 'User unknown', stage: null, code: null })).toMatchObject(believed)
    expect(judge({ text: "554 This user doesn't have a x.test account", stage: 'dot' })).toMatchObject(
      believed,
    )
  })

  test('a code that says disabled with a text that says unknown', () => {
    const text = '550 5.2.1 <ann@x.test>... User unknown'
    expect(judge({ text, enhanced: '5.2.1', stage: 'dot' })).toMatchObject(doubted)
    expect(judge({ text, enhanced: '5.2.1' })).toMatchObject({ suppress: true })
    expect(judge({ text: '550 5.2.1 Disabled', enhanced: '5.2.1', stage: 'dot' })).toMatchObject({
      suppress: true,
    })
  })

  test('the reply of an Amazon SES receiving rule', () => {
    const reporter = 'inbound-smtp.eu-west-1.amazonaws.com'
    expect(judge({ text: '550 5.1.1 Mailbox does not exist', enhanced: '5.1.1', reporter })).toMatchObject(
      doubted,
    )
  })
})

test('deferred while delayed, with any text, by the words of the nearest text', () => {
  for (const text of [...DEAD, ...ALIVE]) {
    expect(judge({ text, action: 'delayed' })).toMatchObject({ state: 'deferred', suppress: false })
  }
})

test('bounced by the surrounding text when the reply explains nothing', () => {
  const given = { text: '550 Failed', context: ['ann@x.test', 'The mailbox is full.'] }
  expect(judge(given)).toMatchObject({ category: 'mailbox_full' })
})
