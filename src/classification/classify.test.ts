import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { PASSES_MAX, passesOf } from '../../test/support/passes.ts'
import { describeReply, ReplyParser } from '../delivery/client/smtp-reply.ts'
import { adviseVerdict } from './advise.ts'
import { classifyDns, classifyFailure, classifyReply, enhancedCodeOf } from './classify.ts'
import type { FailureKind, Stage } from './stages.ts'

/** A reply as it came over the wire: our parser is part of what is tested. */
function classify(line: string, stage: Stage = 'rcpt') {
  const reply = new ReplyParser().push(Buffer.from(`${line}\r\n`))[0]
  if (reply === undefined) throw new Error(`not a reply: ${line}`)
  return classifyReply(reply, stage)
}

interface Row {
  state: string
  category: string
  suppress: boolean
  stage: Stage
  reply: string
}

const FILE = join(import.meta.dirname, '../../test/fixtures/replies.txt')
const REPLIES: readonly Row[] = readFileSync(FILE, 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const [state = '', category = '', suppress, stage, ...words] = line.split(' ')
    const reply = words.join(' ').replaceAll('\\n', '\r\n')
    return { state, category, suppress: suppress === 'suppress', stage: stage as Stage, reply }
  })

describe('replies', () => {
  for (const { state, category, suppress, reply, stage } of REPLIES) {
    test(`${state} as ${category}: ${reply.slice(0, 120)}`, () => {
      const verdict = classify(reply, stage)
      expect(verdict).toMatchObject({ state, category, suppress })
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
    for (const { reply } of REPLIES) {
      for (const stage of ['greeting', 'mail', 'rcpt', 'dot'] as const) {
        const soft = reply.replace(/^[25](?=\d\d)/gm, '4').replace(/\b5(?=\.\d)/g, '4')
        expect(classify(soft, stage)).toMatchObject({ state: 'deferred', suppress: false })
      }
    }
  })

  test.each(['greeting', 'ehlo', 'starttls', 'auth', 'mail', 'rcpt', 'data'] as const)(
    'deferred, and not delivered: a 2xx at %s, where it cannot mean the message',
    (stage) => {
      expect(classify('250 2.0.0 OK', stage)).toMatchObject({
        state: 'deferred',
        category: 'protocol_broken',
      })
    },
  )

  test('never suppressed for a reply before RCPT', () => {
    for (const { reply } of REPLIES.filter((row) => row.reply.startsWith('5'))) {
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
      'домен',
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
    expect(describeReply({ code: 550, enhanced: '5.1.1', text: 'no' })).toBe('550 5.1.1 no')
  })
})
