import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isFull, seedOfToday } from '../../../test/support/thorough.ts'
import { isHardBounce } from '../../classification/classify-dsn.ts'
import { readDsn } from './read-dsn.ts'

// Every reply of the tables in the format of each of these mail systems: the meaning must not depend on the reporter. `npm test`
// reads each reply in a quarter of the formats, another one each day. The full run reads each reply in each format.
const FOLDER = join(import.meta.dirname, '../../../test/fixtures/notice-texts')
const ANN = 'ann@x.test'
const BOB = 'bob@y.test'

interface Reply {
  want: string
  reply: string
}

/** The replies to RCPT, all to the same recipient. Replies about other recipients are left out. */
const replies: Reply[] = readdirSync(FOLDER)
  .filter((name) => name.startsWith('replies'))
  .flatMap((name) => readFileSync(join(FOLDER, name), 'utf8').split('\n'))
  .flatMap((line) => {
    const [, want, reply] = /^(hard|soft) ([45]\d\d.*)$/.exec(line) ?? []
    if (want === undefined || reply === undefined || /\b(?!ann@)[\w.-]+@/.test(reply)) return []
    return [{ want, reply: reply.replace(/\bann@[\w.-]+/g, ANN) }]
  })

const RETURNED = `Return-Path: <me@own.test>\nFrom: me@own.test\nTo: ${ANN}, ${BOB}\nMessage-Id: <1@own.test>\n\nhello\n`

function header(from: string, subject: string, type = 'text/plain; charset=utf-8'): string {
  return `From: ${from}\nTo: me@own.test\nSubject: ${subject}\nContent-Type: ${type}\n\n`
}

function fold(text: string): string {
  return text.replace(/(.{40,60}) /g, '$1\n    ')
}

const CONVERSATION = (to: string, reply: string) => `>>> RCPT To:<${to}>\n<<< ${reply}\n`
const FIELDS = (to: string, reply: string) =>
  `Final-Recipient: rfc822; ${to}\nAction: failed\nStatus: 5.0.0\nDiagnostic-Code: smtp; ${fold(reply)}\n`

/** The text above the recipients, the text about each, and the text below. */
const FORMATS: Record<string, readonly [string, (to: string, reply: string) => string, string]> = {
  Postfix: [
    `${header('MAILER-DAEMON@relay.test (Mail Delivery System)', 'Undelivered Mail Returned to Sender')}This is the mail system at host relay.test.\n\n`,
    (to, reply) => `<${to}>: host mx.test[192.0.2.1] said: ${reply} (in reply to RCPT TO command)\n\n`,
    '',
  ],
  'Sendmail, as text': [
    `${header('MAILER-DAEMON@relay.test (Mail Delivery Subsystem)', 'Returned mail: see transcript for details')}   ----- Transcript of session follows -----\n... while talking to mx.test.:\n`,
    (to, reply) => `${CONVERSATION(to, reply)}554 <${to}>... Service unavailable\n`,
    `\n   ----- Original message follows -----\n${RETURNED}`,
  ],
  Exim: [
    `X-Failed-Recipients: ${ANN}, ${BOB}\n${header('Mail Delivery System <Mailer-Daemon@relay.test>', 'Mail delivery failed: returning message to sender')}The following address(es) failed:\n\n`,
    (to, reply) =>
      `  ${to}\n    host mx.test [192.0.2.1]\n    SMTP error from remote mail server after RCPT TO:<${to}>:\n    ${reply}\n`,
    `\n------ This is a copy of the message, including all the headers. ------\n\n${RETURNED}`,
  ],
  qmail: [
    `${header('MAILER-DAEMON@relay.test', 'failure notice')}Hi. This is the qmail-send program at relay.test.\n\n`,
    (to, reply) =>
      `<${to}>:\n192.0.2.1 does not like recipient.\nRemote host said: ${reply}\nGiving up on 192.0.2.1.\n\n`,
    `--- Below this line is a copy of the message.\n\n${RETURNED}`,
  ],
  Courier: [
    `${header('"Courier mail server at relay.test" <@>', 'NOTICE: mail delivery status.')}Your message to the following recipients cannot be delivered:\n\n`,
    (to, reply) => `<${to}>:\n    mx.test [192.0.2.1]:\n${CONVERSATION(to, reply)}\n`,
    '',
  ],
  Yahoo: [
    `${header('MAILER-DAEMON@yahoo.test', 'Failure Notice')}Sorry, we were unable to deliver your message to the following address.\n\n`,
    (to, reply) => `<${to}>:\nRemote host said: ${reply} [RCPT_TO]\n\n`,
    `--- Below this line is a copy of the message.\n\n${RETURNED}`,
  ],
  hMailServer: [
    `${header('mailer-daemon@hm.test', 'Message undeliverable: hello')}The following recipient(s) could not be reached:\n\n`,
    (to, reply) =>
      `${to}\n   Error Type: SMTP\n   Remote server (192.0.2.1) issued an error.\n   hMailServer sent: RCPT TO:<${to}>\n   Remote server replied: ${reply}\n\n`,
    'hMailServer\n',
  ],
  'status fields': [
    `${header('postmaster@relay.test', 'Undeliverable', 'message/delivery-status')}Reporting-MTA: dns; relay.test\n\n`,
    (to, reply) => `${FIELDS(to, `${reply} (in reply to RCPT TO command)`)}\n`,
    '',
  ],
}

function read(format: string, replies: readonly (readonly [string, string])[]): string[] {
  const [above, entry, below] = FORMATS[format] as (typeof FORMATS)[string]
  const known = format === 'Exim' ? above.replace(replies.length === 1 ? `, ${BOB}` : '\0', '') : above
  const text = known + replies.map(([to, reply]) => entry(to, reply)).join('') + below
  const dsn = readDsn(Buffer.from(text))
  if (dsn.kind !== 'delivery_status') return [dsn.kind]
  return dsn.recipients.map(({ address, action, verdict }) => {
    const isHard = action === 'failed' && verdict !== null && isHardBounce(verdict)
    return `${isHard ? 'hard' : 'soft'} ${address}`
  })
}

const formats = Object.keys(FORMATS)
const SHARE = isFull ? 1 : 4

/** Returns whether the reply at this place is read in this format. */
function isChosen(format: string, place: number): boolean {
  return (place + formats.indexOf(format) + seedOfToday()) % SHARE === 0
}

test.each(formats)('the same for every chosen reply, reported by %s', (format) => {
  const wrong = replies
    .filter((_, place) => isChosen(format, place))
    .filter(({ want, reply }) => read(format, [[ANN, reply]]).join() !== `${want} ${ANN}`)
  expect(wrong).toEqual([])
})

test.each(formats)('each of two recipients by its own reply, reported by %s', (format) => {
  const about = (want: string) => replies.filter((reply) => reply.want === want)
  const [hard, soft] = [about('hard'), about('soft')]
  const wrong = soft.filter(({ reply }, place) => {
    if (!isChosen(format, place)) return false
    const dead = (hard[(place * 7) % hard.length]?.reply ?? '').replaceAll(ANN, BOB)
    const results = read(format, [
      [ANN, reply],
      [BOB, dead],
    ])
    return results.join() !== `soft ${ANN},hard ${BOB}`
  })
  expect(wrong).toEqual([])
})
