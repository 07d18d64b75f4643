import { describe, expect, test } from 'vitest'
import { isHardBounce } from '../../classification/classify-dsn.ts'
import { readDsn } from './read-dsn.ts'

// Returned mail that is not a permanent bounce, although it may mention addresses that do not exist.
const DEAD = 'The address bob@y.test no longer exists. 550 5.1.1 User unknown'

function message(header: string, body: string): Buffer {
  return Buffer.from(`To: me@own.test\n${header}\n\n${body}\n`)
}

function hardOf(content: Buffer): string[] {
  const dsn = readDsn(content)
  if (dsn.kind !== 'delivery_status') return []
  return dsn.recipients
    .filter(({ verdict }) => verdict !== null && isHardBounce(verdict))
    .map(({ address }) => `${address}`)
}

const REPORT = 'Content-Type: multipart/report; report-type=delivery-status; boundary=b'
const fields = (action: string, status: string, diagnostic: string) =>
  `--b\nContent-Type: text/plain\n\nReport on your message.\n\n--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; relay.test\n\nFinal-Recipient: rfc822; ann@x.test\nAction: ${action}\nStatus: ${status}\nDiagnostic-Code: smtp; ${diagnostic}\n\n--b--`
const event = (value: unknown) => JSON.stringify(value)

test.each<[string, string, string]>([
  [
    'a vacation program',
    'From: ann@x.test\nAuto-Submitted: auto-replied\nSubject: Out of office',
    `I am away. ${DEAD}`,
  ],
  [
    'a vacation program in German',
    'From: ann@x.test\nSubject: Automatische Antwort: hello',
    `Ich bin im Urlaub. ${DEAD}`,
  ],
  [
    'a vacation program in French',
    'From: ann@x.test\nSubject: Réponse automatique : hello',
    `Je suis absent. ${DEAD}`,
  ],
  ['a person who answers', 'From: ann@x.test\nSubject: Re: Delivery failed', `Hi, did you see this? ${DEAD}`],
  ['a person who writes', 'From: ann@x.test\nSubject: question', `What does this mean? ${DEAD}`],
  [
    'a person who passes a notification on as an attachment',
    'Return-Path: <ann@x.test>\nFrom: Ann <ann@x.test>\nSubject: Fwd: Undelivered Mail Returned to Sender\nContent-Type: multipart/mixed; boundary=b',
    `--b\n\nIs this yours?\n--b\nContent-Type: message/rfc822\n\nFrom: MAILER-DAEMON@relay.test\nSubject: Undelivered Mail Returned to Sender\n\n<bob@y.test>: 550 5.1.1 User unknown\n--b--`,
  ],
  [
    'a person who passes a notification on in French',
    'Return-Path: <ann@x.test>\nFrom: Ann <ann@x.test>\nSubject: Tr: =?utf-8?q?=C3=89chec?= de remise',
    `Je vous transmets ceci :\n\n> <bob@y.test>: 550 5.1.1 User unknown`,
  ],
  [
    'a person who quotes a notification',
    'Return-Path: <ann@x.test>\nFrom: Ann <ann@x.test>\nSubject: Mail delivery failed again',
    `I got this, what does it mean?\n\n> Your message could not be delivered.\n> <bob@y.test>: 550 5.1.1 User unknown`,
  ],
  [
    'a newsletter about bounces',
    'Return-Path: <bounce-1@news.test>\nFrom: News <news@news.test>\nSubject: Why mail bounces\nList-Unsubscribe: <https://news.test/u>',
    'Your message could not be delivered, it says. Example:\n\n<bob@y.test>: 550 5.1.1 User unknown',
  ],
  [
    'an event of an address on a suppression list',
    'From: events@provider.test\nSubject: event',
    event({
      event: 'bounce',
      email: 'ann@x.test',
      status: '5.1.1',
      reason: 'Not sent, because the address is on the suppression list for your account.',
    }),
  ],
  [
    'a mailing list that holds a message',
    'From: list-owner@x.test\nSubject: Your message to list awaits moderator approval',
    'Your mail to list@x.test is being held until the moderator can review it for approval. Reason: post by non-member',
  ],
  [
    'a challenge',
    'From: ann@x.test\nSubject: Please confirm your message',
    'This address is protected. Click the link to prove that you are a person; unknown senders are held.',
  ],
  [
    'a receipt that it was read',
    'From: ann@x.test\nSubject: Read: hello\nContent-Type: multipart/report; report-type=disposition-notification; boundary=b',
    '--b\n\nYour message was displayed.\n--b\nContent-Type: message/disposition-notification\n\nFinal-Recipient: rfc822; ann@x.test\nDisposition: manual-action/MDN-sent-manually; displayed\n\n--b--',
  ],
  [
    'a warning of a delay',
    'From: MAILER-DAEMON@relay.test\nSubject: Delayed Mail (still being retried)',
    'Your message to ann@x.test has not been delivered yet. It will be retried for 5 days.',
  ],
  [
    'a warning of a delay in German',
    'From: MAILER-DAEMON@relay.test\nSubject: Warnung',
    'Ihre Nachricht an ann@x.test konnte noch nicht zugestellt werden: Benutzer unbekannt.',
  ],
  [
    'a warning of a delay in French',
    'From: MAILER-DAEMON@relay.test\nSubject: Avertissement',
    "Votre message pour ann@x.test n'a pas encore été remis: utilisateur inconnu.",
  ],
  [
    'a warning of a delay in Russian',
    'From: MAILER-DAEMON@relay.test\nSubject: delayed\nContent-Type: text/plain; charset=utf-8',
    'Ваше письмо для ann@x.test ещё не доставлено: пользователь не найден.',
  ],
  [
    'fields of a delay',
    `From: MAILER-DAEMON@relay.test\nSubject: Delayed\n${REPORT}`,
    fields('delayed', '4.4.1', '450 4.1.1 User unknown'),
  ],
  [
    'fields of a delivery',
    `From: MAILER-DAEMON@relay.test\nSubject: Delivered\n${REPORT}`,
    fields('delivered', '2.1.5', '250 2.1.5 ok'),
  ],
  [
    'fields of a relay',
    `From: MAILER-DAEMON@relay.test\nSubject: Relayed\n${REPORT}`,
    fields('relayed', '2.0.0', '250 ok'),
  ],
  [
    'an event of a delivery',
    'From: events@provider.test\nSubject: event',
    event({ event: 'delivered', email: 'ann@x.test', response: '250 ok' }),
  ],
  [
    'an event of an opening',
    'From: events@provider.test\nSubject: event',
    event([{ event: 'open', email: 'ann@x.test', useragent: 'invalid' }]),
  ],
  [
    'an event of a delivery in an envelope',
    'From: no-reply@sns.test\nSubject: AWS Notification Message',
    event({
      Type: 'Notification',
      Message: event({
        notificationType: 'Delivery',
        delivery: { recipients: ['ann@x.test'], smtpResponse: '250 ok' },
        mail: { destination: ['ann@x.test'] },
      }),
    }),
  ],
  [
    'an event of a delay',
    'From: events@provider.test\nSubject: event',
    event({ event: 'deferred', email: 'ann@x.test', response: '451 4.7.1 try later' }),
  ],
])('never hard: %s', (_, header, body) => {
  expect(hardOf(message(header, body))).toEqual([])
})

describe('a reply that is more specific than the fields', () => {
  test.each([
    ['5.0.0', '452 4.2.2 mailbox full', 'mailbox_full'],
    ['5.1.1', '452 4.2.2 Mailbox is full', 'mailbox_full'],
    ['4.4.7', 'delivery time expired', 'expired'],
    ['5.0.0', '550 5.7.1 Message refused as spam', 'spam'],
    ['5.1.1', '550 5.2.2 The mailbox is over its quota', 'mailbox_full'],
    ['5.1.0', '550 5.7.26 Message failed DMARC', 'authentication_failed'],
  ])('%s with %s is %s', (status, diagnostic, category) => {
    const content = message(
      `From: MAILER-DAEMON@relay.test\nSubject: failed\n${REPORT}`,
      fields('failed', status, diagnostic),
    )
    expect(readDsn(content)).toMatchObject({ recipients: [{ action: 'failed', verdict: { category } }] })
    expect(hardOf(content)).toEqual([])
  })

  test.each([
    ['5.0.0', '550 5.1.1 User unknown'],
    ['4.4.7', '550 5.1.1 No such user here'],
  ])('%s with %s is hard', (status, diagnostic) => {
    const content = message(
      `From: MAILER-DAEMON@relay.test\nSubject: failed\n${REPORT}`,
      fields('failed', status, diagnostic),
    )
    expect(hardOf(content)).toEqual(['ann@x.test'])
  })
})
