import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DSN_FORMATS, RETURNED } from '../../../test/support/dsn-formats.ts'
import { type Passage, writeDsn } from '../../../test/support/dsn-variations.ts'
import { isFull, seedOfToday } from '../../../test/support/thorough.ts'
import { isHardBounce } from '../../classification/classify-dsn.ts'
import { readDsn } from './read-dsn.ts'

// Every family of reasons, in every language of the table, in every layout and after every change of text in transit. All
// combinations of format, family and returned message are 38,280. `npm test` reads a twentieth of them. Each day it pairs each
// family with another quarter of the formats, and each pair with one returned message. So a day has every kind of reason in every
// format, and every family and every format with every returned message. The full run reads all combinations.
const FILE = join(import.meta.dirname, '../../../test/fixtures/notice-texts/families.txt')
const ANN = 'ann@x.test'
const PLAIN: Passage = {
  encoding: '7bit',
  wrap: 0,
  isQuoted: false,
  isForwarded: false,
  isBroken: false,
  lineEnd: '\n',
}

const families = readFileSync(FILE, 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, kind, language, reply] = /^(\S+) (\S+) (.+)$/.exec(line) ?? []
    if (kind === undefined || language === undefined || reply === undefined) return []
    return [{ want: kind === 'gone' || kind === 'nodomain' ? 'hard' : 'soft', kind, language, reply }]
  })

function read(format: string, returned: keyof typeof RETURNED, reply: string, passage: Passage): string {
  const written = DSN_FORMATS[format]?.(ANN, reply)
  if (written === undefined) throw new Error(`There is no format ${format}.`)
  const dsn = readDsn(writeDsn(written, RETURNED[returned](ANN), passage))
  if (dsn.kind !== 'delivery_status') return dsn.kind
  return dsn.recipients
    .map(
      ({ address, verdict }) => `${verdict !== null && isHardBounce(verdict) ? 'hard' : 'soft'} ${address}`,
    )
    .join()
}

const formats = Object.keys(DSN_FORMATS)
const returns = Object.keys(RETURNED) as (keyof typeof RETURNED)[]
const RUNS = isFull ? 1000 : 25
/** Each family is read in one of so many formats. */
const SHARE = 4

/** Returns the families that are read in this format with this returned message. */
function familiesFor(format: string, returned: keyof typeof RETURNED): typeof families {
  if (isFull) return families
  const at = formats.indexOf(format)
  const returnedAt = returns.indexOf(returned) + returns.length - (Math.floor(at / SHARE) % returns.length)
  return families.filter(
    (_, place) => (place + at + seedOfToday()) % SHARE === 0 && (place + returnedAt) % returns.length === 0,
  )
}

test('each returned message with each family in some format, and each kind of reason in each format', () => {
  const pairs = new Set<string>()
  for (const format of formats) {
    const kinds = new Set<string>()
    for (const returned of returns) {
      for (const { kind, reply } of familiesFor(format, returned)) {
        kinds.add(kind)
        pairs.add(`${returned} ${reply}`)
      }
    }
    expect(kinds, format).toEqual(new Set(families.map(({ kind }) => kind)))
  }
  expect(pairs.size).toBe(new Set(families.map(({ reply }) => reply)).size * returns.length)
})

describe.each(formats)('%s', (format) => {
  test.each(returns)('each chosen family, with the original as: %s', (returned) => {
    const chosen = familiesFor(format, returned)
    expect(chosen).not.toEqual([])
    const wrong = chosen.flatMap(({ want, reply }) => {
      const got = read(format, returned, reply, PLAIN)
      return got === `${want} ${ANN}` ? [] : [`${reply} => ${got}`]
    })
    expect(wrong).toEqual([])
  })

  test('the same after wrapping, quoting, encoding, forwarding and loss of structure', () => {
    const passages = fc.record({
      encoding: fc.constantFrom('7bit' as const, 'quoted-printable' as const, 'base64' as const),
      wrap: fc.constantFrom(0, 60, 66, 72, 80),
      isQuoted: fc.boolean(),
      isForwarded: fc.boolean(),
      isBroken: fc.boolean(),
      lineEnd: fc.constantFrom('\n' as const, '\r\n' as const),
    })
    fc.assert(
      fc.property(
        fc.constantFrom(...families),
        fc.constantFrom(...returns),
        passages,
        (family, returned, passage) => {
          const isForwarded = passage.isForwarded && !format.startsWith('event')
          expect(read(format, returned, family.reply, { ...passage, isForwarded })).toBe(
            `${family.want} ${ANN}`,
          )
        },
      ),
      { numRuns: RUNS, seed: seedOfToday() },
    )
  })
})
