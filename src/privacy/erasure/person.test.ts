import { describe, expect, test } from 'vitest'
import { PASSES_MAX, passesOf } from '../../../test/support/passes.ts'
import { eraseEvent } from './erase-event.ts'
import { createPerson } from './person.ts'

const PSEUDONYM = 'erased-1@erased.invalid'
const person = createPerson({ address: "o'ne.l+x@xn--bcher-kva.test", pseudonym: PSEUDONYM })

describe('a text that names the person', () => {
  const HELD = [
    "o'ne.l+x@xn--bcher-kva.test",
    "O'NE.L+X@BÜCHER.test",
    `"o'ne.l+x"@bücher.test`,
    "o'ne.l+x=xn--bcher-kva.test",
    "o'ne.l+x%40xn--bcher-kva.test",
  ]
  for (const written of HELD) {
    test(`loses ${written} in every position`, () => {
      for (const around of [
        (text: string) => text,
        (text: string) => `550 5.1.1 <${text}>: none`,
        (text: string) => `rfc822;${text}.`,
      ]) {
        const scrubbed = person.scrub(around(written))
        expect(scrubbed).toContain(PSEUDONYM)
        expect(scrubbed.toLowerCase()).not.toContain('ne.l+x')
        expect(person.isIn(around(written))).toBe(true)
      }
    })
  }

  const OTHERS = [
    "mo'ne.l+x@bücher.test",
    "m.o'ne.l+x@bücher.test",
    "o'ne.l+x@bücher.test.example",
    "o'ne.l+x@bücher.testing",
    "o'ne.l@bücher.test",
    "o'neal+x@bücher.test",
  ]
  for (const other of OTHERS) {
    test(`keeps ${other} unchanged`, () => expect(person.scrub(`<${other}>`)).toBe(`<${other}>`))
  }
})

test('owned: an address with a name, in any case; but not a similar address', () => {
  expect(person.owns("Shaun <O'NE.L+X@bücher.test>")).toBe(true)
  // Names that were accepted before deceptive characters and brackets were rejected.
  expect(person.owns("Shaun\u202e <O'NE.L+X@bücher.test>")).toBe(true)
  expect(person.owns('"<b> Shaun" <O\'NE.L+X@bücher.test> ')).toBe(true)
  expect(person.owns("mo'ne.l+x@bücher.test")).toBe(false)
})

test('linear: the time for a text by its length', () => {
  for (const piece of ['a.', "o'ne.l+x", '@', "o'ne.l+x@"]) {
    const text = piece.repeat(100_000 / piece.length)
    expect(
      passesOf(() => person.scrub(text), text),
      piece,
    ).toBeLessThan(PASSES_MAX)
  }
})

describe('an event', () => {
  const theirs = "O'ne.l+x@bücher.test"
  test('of the person keeps what happened, without any statements', () => {
    const data = {
      recipient: theirs,
      response: 'Shaun is away',
      smtp_code: 550,
      category: 'policy',
      advice: 'x',
    }
    const kept = { recipient: PSEUDONYM, smtp_code: 550, category: 'policy' }
    expect(eraseEvent({ type: 'email.bounced', data }, person)).toEqual(kept)
  })
  test('of another recipient loses only the address', () => {
    const data = { recipient: 'b@y.test', response: `unlike ${theirs}, b exists` }
    const kept = { recipient: 'b@y.test', response: `unlike ${PSEUDONYM}, b exists` }
    expect(eraseEvent({ type: 'email.delivered', data }, person)).toEqual(kept)
  })
  test('of an unknown one of several recipients loses the location', () => {
    const data = { recipient: null, ip_address: '192.0.2.1', user_agent: 'x', link: 'https://x.test/shaun' }
    const kept = { recipient: null, ip_address: '', user_agent: null, link: '' }
    expect(eraseEvent({ type: 'email.clicked', data }, person)).toEqual(kept)
  })
  test('of the contact keeps its id', () => {
    const data = { id: '1', email: theirs, first_name: 'Shaun', list_id: '2' }
    expect(eraseEvent({ type: 'contact.updated', data }, person)).toEqual({
      id: '1',
      list_id: '2',
      email: PSEUDONYM,
    })
  })
})
