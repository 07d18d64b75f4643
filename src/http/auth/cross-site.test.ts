import { describe, expect, test } from 'vitest'
import { refuseCrossSite, refuseForeignLogin, refuseForeignPage } from './cross-site.ts'

const OURS = 'https://mail.example.com'
type Headers = Record<string, string>

/** Method, headers, and whether the request is accepted. */
const SESSION_CASES: readonly [string, string, Headers, boolean][] = [
  ['our page reads', 'GET', { 'sec-fetch-site': 'same-origin' }, true],
  ['a person typed the address', 'GET', { 'sec-fetch-site': 'none' }, true],
  ['an old browser reads', 'GET', {}, true],
  ['another site reads', 'GET', { 'sec-fetch-site': 'cross-site' }, false],
  ['a sibling host reads', 'GET', { 'sec-fetch-site': 'same-site' }, false],
  ['our page writes', 'POST', { 'sec-fetch-site': 'same-origin' }, true],
  ['an old browser writes from our page', 'POST', { origin: OURS }, true],
  ['from the requested host', 'DELETE', { origin: 'https://10.0.0.7:8443', host: '10.0.0.7:8443' }, true],
  ['without TLS from the requested host', 'POST', { origin: 'http://a.test', host: 'a.test' }, false],
  ['no stated origin', 'POST', {}, false],
  ['a typed address', 'POST', { 'sec-fetch-site': 'none' }, false],
  ['another site writes', 'POST', { 'sec-fetch-site': 'cross-site', origin: OURS }, false],
  ['a sibling host writes', 'POST', { 'sec-fetch-site': 'same-site', origin: OURS }, false],
  ['another origin', 'POST', { origin: 'https://evil.example', host: 'mail.example.com' }, false],
  ['a sandboxed frame', 'POST', { origin: 'null', host: 'mail.example.com' }, false],
  ['our name as a prefix', 'PUT', { origin: `${OURS}.evil.example`, host: 'mail.example.com' }, false],
  ['another port', 'PATCH', { origin: `${OURS}:444`, host: 'mail.example.com' }, false],
]

describe('a request with a session', () => {
  for (const [name, method, headers, isAccepted] of SESSION_CASES) {
    test(`${isAccepted ? 'accepted' : 'rejected'}: ${name}`, () => {
      const check = () => refuseCrossSite(method, headers, OURS)
      if (isAccepted) expect(check).not.toThrow()
      else expect(check).toThrow('This request does not come from the dashboard.')
    })
  }
})

const LOGIN_CASES: readonly [string, Headers, boolean][] = [
  ['our page', { 'sec-fetch-site': 'same-origin' }, true],
  ['a program', {}, true],
  ['another site', { 'sec-fetch-site': 'cross-site' }, false],
  ['another origin', { origin: 'https://evil.example' }, false],
  ['a followed link', { 'sec-fetch-site': 'none' }, false],
]

describe('a login', () => {
  for (const [name, headers, isAccepted] of LOGIN_CASES) {
    test(`${isAccepted ? 'accepted' : 'rejected'}: ${name}`, () => {
      const check = () => refuseForeignLogin(headers, OURS)
      if (isAccepted) expect(check).not.toThrow()
      else expect(check).toThrow('This request does not come from the dashboard.')
    })
  }
})

const KEY_CASES: readonly [string, Headers, boolean][] = [
  ['a program', { host: 'other.test' }, true],
  ['our page', { origin: OURS, host: 'mail.example.com' }, true],
  ['our page behind a proxy', { origin: OURS, host: '10.0.0.7:8080' }, true],
  ['a page of this machine', { origin: 'http://[::1]:8080', host: '[::1]:8080' }, true],
  ['another page of this machine', { origin: 'http://localhost:3000', host: 'localhost:8080' }, false],
  ['another site', { origin: 'https://evil.example', host: 'mail.example.com' }, false],
  ['a rebound name', { origin: 'https://evil.example', host: 'evil.example' }, false],
  [
    'a rebound name, of the same origin',
    { origin: 'http://evil.example:8080', host: 'evil.example:8080', 'sec-fetch-site': 'same-origin' },
    false,
  ],
  ['a sandboxed frame', { origin: 'null', host: 'localhost:8080' }, false],
  ['a sibling host', { origin: OURS, host: 'mail.example.com', 'sec-fetch-site': 'same-site' }, false],
]

describe('a request with an API key', () => {
  for (const [name, headers, isAccepted] of KEY_CASES) {
    test(`${isAccepted ? 'accepted' : 'rejected'}: ${name}`, () => {
      const check = () => refuseForeignPage(headers, OURS)
      if (isAccepted) expect(check).not.toThrow()
      else expect(check).toThrow('This request does not come from the dashboard.')
    })
  }
})
