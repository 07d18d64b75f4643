import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { classifyReply } from '../../classification/classify.ts'
import { isHardBounce } from '../../classification/classify-dsn.ts'
import { classifyClaim } from './classify-claim.ts'
import { readDsn } from './read-dsn.ts'

// Texts of other systems, collected before the rules ran on them: a measure of how the rules generalize.
const FOLDER = join(import.meta.dirname, '../../../test/fixtures/notice-texts')

/** Returns the text of all tables of a kind. */
function tablesOf(kind: 'replies' | 'formats'): string {
  const names = readdirSync(FOLDER).filter((name) => name.startsWith(kind))
  return names.map((name) => readFileSync(join(FOLDER, name), 'utf8')).join('')
}

const replies = tablesOf('replies')
  .split('\n')
  .flatMap((line) => {
    const match = /^(hard|soft) (?:(dot|words) )?(.*)$/.exec(line)
    if (match === null) return []
    const [, want, where, reply] = match
    return [{ want: want as string, stage: where === undefined ? 'rcpt' : where, reply: reply as string }]
  })

const dsns = tablesOf('formats')
  .split(/^=== /m)
  .slice(1)
  .map((piece) => {
    const end = piece.indexOf('\n')
    const [name, ...wanted] = piece.slice(0, end).split(' | ')
    return { name: name as string, wanted, content: Buffer.from(piece.slice(end + 1)) }
  })

function hardOrSoft(reply: string, stage: string): string {
  const { verdict } = classifyClaim({
    address: 'ann@x.test',
    action: 'failed',
    status: null,
    diagnostic: reply,
    context: [],
    stage: stage === 'words' ? null : (stage as 'rcpt' | 'dot'),
    host: null,
    reporter: null,
  })
  return verdict !== null && isHardBounce(verdict) ? 'hard' : 'soft'
}

function summarize(content: Buffer): string[] {
  const dsn = readDsn(content)
  if (dsn.kind === 'complaint') return [`complaint ${dsn.feedback}`]
  if (dsn.kind !== 'delivery_status') return [dsn.kind]
  return dsn.recipients.map(({ action, verdict, address }) => {
    if (action !== 'failed') return `${action} ${address}`
    return `${verdict !== null && isHardBounce(verdict) ? 'hard' : 'soft'} ${address}`
  })
}

describe('replies of servers', () => {
  test.each(replies)('$want: $reply ($stage)', ({ want, reply, stage }) => {
    expect(hardOrSoft(reply, stage)).toBe(want)
  })

  test('never suppressed by a reply to our own RCPT, if soft', () => {
    const wrong = replies.filter(({ want, stage, reply }) => {
      const [, code, text = ''] = /^(\d{3})[ -](.*)$/.exec(reply) ?? []
      if (want === 'hard' || stage !== 'rcpt' || code === undefined) return false
      return classifyReply({ code: Number(code), enhanced: null, text }, 'rcpt').suppress
    })
    expect(wrong).toEqual([])
  })

  test('never hard for a temporary reply, whatever its words', () => {
    for (const { reply } of replies) {
      const temporary = reply.replace(/^\d{3}/, '450').replace(/\b5(\.\d\.\d+)/g, '4$1')
      if (temporary.startsWith('450')) expect(hardOrSoft(temporary, 'rcpt'), temporary).toBe('soft')
    }
  })
})

describe('texts of mail systems', () => {
  test.each(dsns)('$name: $wanted', ({ wanted, content }) => {
    expect(summarize(content)).toEqual(wanted)
  })
})
