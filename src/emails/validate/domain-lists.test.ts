import { describe, expect, test } from 'vitest'
import { isDisposable } from './disposable.ts'
import { isFreeProvider } from './free-providers.ts'
import { isRoleAddress } from './role-addresses.ts'
import { suggestDomain } from './suggest-domain.ts'

describe('role addresses', () => {
  test.each(['info', 'INFO', 'sales', 'postmaster', 'no-reply', '"abuse"', 'support+ticket7', 'buchhaltung'])(
    '%s is a role address',
    (local) => expect(isRoleAddress(local)).toBe(true),
  )

  test.each(['ann', 'info.berlin', 'salesman', 'john.support', 'constructor', '__proto__', ''])(
    '%s is not a role address',
    (local) => expect(isRoleAddress(local)).toBe(false),
  )
})

describe('disposable domains', () => {
  test.each(['mailinator.com', 'yopmail.com', 'guerrillamail.com', 'box7.mailinator.com'])(
    '%s is disposable',
    async (domain) => expect(await isDisposable(domain)).toBe(true),
  )

  test.each([
    ...[
      'example.com',
      'gmail.com',
      'mailinator.com.example.org',
      'mailinator.example.org',
      'constructor.com',
    ],
    // Forwarders to a real mailbox, and free providers, although the list contains them.
    ...['duck.com', 'me.anonaddy.com', 'simplelogin.com', 'mozmail.com', 'keemail.me', 'consultant.com'],
  ])('%s is not disposable', async (domain) => expect(await isDisposable(domain)).toBe(false))
})

test.each([
  ['gmail.com', true],
  ['gmx.de', true],
  ['yahoo.co.uk', true],
  ['example.com', false],
  ['sub.gmail.com', false],
])('%s is a free provider: %s', (domain, expected) => {
  expect(isFreeProvider(domain)).toBe(expected)
})

describe('the suggested domain', () => {
  test.each([
    ['gmial.com', 'gmail.com'],
    ['gmai.com', 'gmail.com'],
    ['gmail.con', 'gmail.com'],
    ['hotmial.com', 'hotmail.com'],
    ['yaho.com', 'yahoo.com'],
    ['outlok.com', 'outlook.com'],
    ['iclod.com', 'icloud.com'],
  ])('%s is a known typo, regardless of DNS', (domain, meant) => {
    expect([true, false, null].map((dns) => suggestDomain(domain, dns))).toEqual([meant, meant, meant])
  })

  test.each([
    ['acme.con', 'acme.com'],
    ['mail.acme.cmo', 'mail.acme.com'],
    ['acme.ogr', 'acme.org'],
  ])('%s has a top label that does not exist', (domain, meant) => {
    expect(suggestDomain(domain, false)).toBe(meant)
    expect(suggestDomain(domain, null)).toBe(meant)
  })

  test.each([
    ['yahooo.fr', 'yahoo.fr'],
    ['hotmal.co.uk', 'hotmail.co.uk'],
    ['freenett.de', 'freenet.de'],
    ['umail.com', 'gmail.com'],
  ])('%s is close to a provider, which counts only once DNS has said no', (domain, meant) => {
    expect([false, null, true].map((dns) => suggestDomain(domain, dns))).toEqual([meant, null, null])
  })

  test.each([
    ...[
      'gmail.com',
      'ymail.com',
      'mail.com',
      'email.com',
      'gmx.com',
      'gmx.de',
      'web.de',
      'aol.com',
      'me.com',
      'live.nl',
    ],
    ...[
      'yahoo.co.uk',
      'hotmail.fr',
      'outlook.es',
      'proton.me',
      'pm.me',
      'qq.com',
      '163.com',
      'mail.ru',
      'yandex.com',
    ],
    // Neither providers nor similar to one.
    ...['bt.com', 'acme.co', 'example.com', 'simulator.test', 'constructor.constructor'],
  ])('%s gets no suggestion', (domain) => {
    expect([true, false, null].map((dns) => suggestDomain(domain, dns))).toEqual([null, null, null])
  })
})
