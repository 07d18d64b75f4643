import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isAutomaticSubject } from './auto-reply.ts'
import { readDsn } from './read-dsn.ts'

// Sentences by which notices are recognized, in many languages.
const FILE = join(import.meta.dirname, '../../../test/fixtures/notice-texts/words.txt')
const rows = readFileSync(FILE, 'utf8')
  .split('\n')
  .map((line) => /^(\S+) \S+ (.+)$/.exec(line))
  .flatMap((match) => (match === null ? [] : [{ kind: match[1] as string, words: match[2] as string }]))
const rowsOf = (kind: string) => rows.filter((row) => row.kind === kind)

function read({ from = 'MAILER-DAEMON@x.test', subject = 'Mail', text }: Record<string, string>) {
  const header = `Return-Path: <>\nFrom: <${from}>\nTo: me@own.test\nSubject: ${subject}\nMIME-Version: 1.0`
  return readDsn(Buffer.from(`${header}\nContent-Type: text/plain; charset=utf-8\n\n${text}\n`))
}

test.each(rowsOf('delayed'))('delivery continues: $words', ({ words }) => {
  expect(read({ subject: 'Warning: could not send message', text: words })).toMatchObject({
    kind: 'delivery_status',
    recipients: [{ address: 'ann@x.test', action: 'delayed' }],
  })
})

test.each(rowsOf('failed'))('a subject that reports a failure: $words', ({ words }) => {
  const text = '<ann@x.test>:\n550 5.1.1 User unknown'
  expect(read({ from: 'gateway@x.test', subject: words, text })).toMatchObject({
    kind: 'delivery_status',
    recipients: [{ address: 'ann@x.test', action: 'failed' }],
  })
})

describe('the returned message, after the line that announces it', () => {
  test.each(rowsOf('returned'))('$words', ({ words }) => {
    const original = 'Subject: Hello\nFrom: news@own.test\nTo: ann@x.test\nMessage-ID: <1@own.test>'
    const text = `<ann@x.test>:\nUser unknown\n\n${words}\n\n${original}\n\nWe know bob@x.test, 550 mailbox full.`
    expect(read({ subject: 'Undelivered mail', text })).toMatchObject({
      kind: 'delivery_status',
      returned: { messageId: '1@own.test' },
      recipients: [{ address: 'ann@x.test', verdict: { category: 'no_such_address' } }],
    })
  })
})

test.each(rowsOf('auto_reply'))('written by a vacation program: $words', ({ words }) => {
  expect(isAutomaticSubject(words)).toBe(true)
})

test.each([
  'Re: News',
  'unsubscribe',
  'Abmelden',
  'Désinscription',
  'Please stop',
  'Hello',
  'Ooops, wrong list',
])('written by a person: %s', (subject) => {
  expect(isAutomaticSubject(subject)).toBe(false)
})
