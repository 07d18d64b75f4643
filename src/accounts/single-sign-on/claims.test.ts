import { expect, test } from 'vitest'
import { groupRoles } from '../../config/single-sign-on.ts'
import { isSubject, mergeClaims, personNameOf, rolesByTeam, verifiedAddress } from './claims.ts'

const TEAM = '0198c0de-0000-7000-8000-000000000001'
const FIRST = '0198c0de-0000-7000-8000-000000000002'
const DOMAINS = ['people.test']

test('an address counts only if it is verified, valid and in one of the domains; it is normalized', () => {
  const address = (email: unknown, email_verified: unknown = true) =>
    verifiedAddress({ sub: 'a', email, email_verified }, DOMAINS)
  expect(address('Ann@People.TEST')).toBe('ann@people.test')
  for (const email of ['ann@people.test.evil.example', 'ann@evil.example', 'ann', 7, null, 'a@b@people.test'])
    expect(address(email)).toBeNull()
  for (const verified of [false, 'true', 1, null]) expect(address('ann@people.test', verified)).toBeNull()
})

test('the address and its verification come from the same document, the subject from the ID token', () => {
  const userInfo = { sub: 'b', email: 'ann@people.test', email_verified: true, groups: ['staff'] }
  expect(mergeClaims({ sub: 'a', email: 'eve@people.test' }, userInfo)).toEqual({
    sub: 'a',
    email: 'eve@people.test',
    groups: ['staff'],
  })
  expect(mergeClaims({ sub: 'a', email_verified: true }, userInfo).email).toBeUndefined()
  expect(mergeClaims({ sub: 'a' }, userInfo)).toEqual({ ...userInfo, sub: 'a' })
})

test('several groups give the most powerful of their roles in each team', () => {
  const roles = groupRoles(`staff=viewer; mail=admin ;mail=member@${TEAM};none=owner`)
  const found = rolesByTeam(
    { sub: 'a', groups: ['mail', 'staff', 7] },
    { claim: 'groups', roles, firstTeamId: FIRST },
  )
  expect([...found]).toEqual([
    [FIRST, 'admin'],
    [TEAM, 'member'],
  ])
})

test('there is no role without the claim, for an inherited name, or without a team', () => {
  const roles = groupRoles('staff=viewer')
  const of = (claims: object, claim = 'groups', firstTeamId: string | null = FIRST) =>
    rolesByTeam({ sub: 'a', ...claims }, { claim, roles, firstTeamId }).size
  expect(of({})).toBe(0)
  expect(of({ groups: { staff: true } })).toBe(0)
  expect(of({}, 'constructor')).toBe(0)
  expect(of({ groups: ['staff'] }, 'groups', null)).toBe(0)
  expect(of({ groups: 'staff' })).toBe(1)
})

test('the name defaults to the address', () => {
  expect(personNameOf({ sub: 'a', name: ' Ann ' }, 'ann@people.test')).toBe('Ann')
  expect(personNameOf({ sub: 'a', name: 7 }, 'ann@people.test')).toBe('ann@people.test')
  expect(personNameOf({ sub: 'a', name: 'x'.repeat(999) }, 'a@b.test')).toHaveLength(255)
})

test('a name that the database takes, and that shows what it is', () => {
  expect(personNameOf({ sub: 'a', name: 'A\u0000nn\u202e' }, 'ann@people.test')).toBe('A\\x00nn\\u202e')
  expect(personNameOf({ sub: 'a', name: '\ud83d' }, 'ann@people.test')).toBe('\ufffd')
  for (const name of ['\u0000'.repeat(300), `${'x'.repeat(254)}\u{1f600}`]) {
    expect(personNameOf({ sub: 'a', name }, 'a@b.test')).toHaveLength(255)
    expect(personNameOf({ sub: 'a', name }, 'a@b.test').isWellFormed()).toBe(true)
  }
})

test('no subject that the database cannot take, or that is longer than subjects may be', () => {
  for (const sub of ['a', 'auth0|5f7', 'x'.repeat(255)]) expect(isSubject(sub)).toBe(true)
  for (const sub of ['a\u0000', 'a\n', '\ud800', 'x'.repeat(256)]) expect(isSubject(sub)).toBe(false)
})
