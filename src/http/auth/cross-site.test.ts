import { describe, expect, test } from 'vitest'
import { refuseCrossSite, refuseForeignLogin } from './cross-site.ts'

const OURS = 'https://mail.example.com'
type Headers = Record<string, string>

/** Method, headers, and whether it is let through. */
const SESSION_CASES: readonly [string, string, Headers, boolean][] = [
  ['a page of ours reads', 'GET', { 'sec-fetch-site': 'same-origin' }, true],
  ['a person typed the address', 'GET', { 'sec-fetch-site': 'none' }, true],
  ['an old browser reads', 'GET', {}, true],
  ['another site reads', 'GET', { 'sec-fetch-site': 'cross-site' }, false],
  ['a host beside ours reads', 'GET', { 'sec-fetch-site': 'same-site' }, false],
  ['a page of ours changes', 'POST', { 'sec-fetch-site': 'same-origin' }, true],
  ['an old browser changes from our page', 'POST', { origin: OURS }, true],
  [
    'from the host that was asked',
    'DELETE',
    { origin: 'https://10.0.0.7:8443', host: '10.0.0.7:8443' },
    true,
  ],
  ['without TLS from the host that was asked', 'POST', { origin: 'http://a.test', host: 'a.test' }, false],
  ['nobody says where it comes from', 'POST', {}, false],
  ['typed, which changes nothing', 'POST', { 'sec-fetch-site': 'none' }, false],
  ['another site changes', 'POST', { 'sec-fetch-site': 'cross-site', origin: OURS }, false],
  ['a host beside ours changes', 'POST', { 'sec-fetch-site': 'same-site', origin: OURS }, false],
  ['another origin', 'POST', { origin: 'https://evil.example', host: 'mail.example.com' }, false],
  ['a sandboxed frame', 'POST', { origin: 'null', host: 'mail.example.com' }, false],
  ['our name as a prefix', 'PUT', { origin: `${OURS}.evil.example`, host: 'mail.example.com' }, false],
  ['another port', 'PATCH', { origin: `${OURS}:444`, host: 'mail.example.com' }, false],
]

describe('a request with a session', () => {
  for (const [name, method, headers, isTaken] of SESSION_CASES) {
    test(`${isTaken ? 'taken' : 'refused'}: ${name}`, () => {
      const judge = () => refuseCrossSite(method, headers, OURS)
      if (isTaken) expect(judge).not.toThrow()
      else expect(judge).toThrow('This request does not come from the dashboard.')
    })
  }
})

const LOGIN_CASES: readonly [string, Headers, boolean][] = [
  ['our page', { 'sec-fetch-site': 'same-origin' }, true],
  ['a program', {}, true],
  ['another site', { 'sec-fetch-site': 'cross-site' }, false],
  ['another origin', { origin: 'https://evil.example' }, false],
  ['a link that was followed', { 'sec-fetch-site': 'none' }, false],
]

describe('a login', () => {
  for (const [name, headers, isTaken] of LOGIN_CASES) {
    test(`${isTaken ? 'taken' : 'refused'}: ${name}`, () => {
      const judge = () => refuseForeignLogin(headers, OURS)
      if (isTaken) expect(judge).not.toThrow()
      else expect(judge).toThrow('This request does not come from the dashboard.')
    })
  }
})
