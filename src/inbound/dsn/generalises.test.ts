import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isHardBounce } from '../../classification/classify-dsn.ts'
import { classifyClaim } from './classify-claim.ts'
import { readDsn } from './read-dsn.ts'

// Texts of other systems, collected before the rules were run on them: a measure of how the rules generalize.
const FOLDER = join(import.meta.dirname, '../../../test/fixtures/notice-texts')

/** The text of all tables of a kind. */
function tablesOf(kind: 'replies' | 'formats'): string {
  const names = readdirSync(FOLDER).filter((name) => name.startsWith(kind))
  return names.map((name) => readFileSync(join(FOLDER, name), 'utf8')).join('')
}

const replies = tablesOf('replies')
  .split('\n')
  .flatMap((line) => {
    const match = /^(hard|soft) (?:(dot|words) )?(.*)$/.exec(line)
    if (match === null) return []
    const [, want, where, said] = match
    return [{ want: want as string, stage: where === undefined ? 'rcpt' : where, said: said as string }]
  })

const dsns = tablesOf('formats')
  .split(/^=== /m)
  .slice(1)
  .map((piece) => {
    const end = piece.indexOf('\n')
    const [name, ...wanted] = piece.slice(0, end).split(' | ')
    return { name: name as string, wanted, content: Buffer.from(piece.slice(end + 1)) }
  })

function hardOrSoft(said: string, stage: string): string {
  const { verdict } = classifyClaim({
    address: 'ann@x.test',
    action: 'failed',
    status: null,
    said,
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

describe('what servers answer', () => {
  test.each(replies)('$want: $said ($stage)', ({ want, said, stage }) => {
    expect(hardOrSoft(said, stage)).toBe(want)
  })

  test('never hard on a temporary reply, whatever its words', () => {
    for (const { said } of replies) {
      const temporary = said.replace(/^\d{3}/, '450').replace(/\b5(\.\d\.\d+)/g, '4$1')
      if (temporary.startsWith('450')) expect(hardOrSoft(temporary, 'rcpt'), temporary).toBe('soft')
    }
  })
})

describe('what mail systems write', () => {
  test.each(dsns)('$name: $wanted', ({ wanted, content }) => {
    expect(summarize(content)).toEqual(wanted)
  })
})
