import { expect, test } from 'vitest'
import { leadTo } from './next.ts'

const HERE = 'https://mail.example.com'

test.each([
  ['/0198/settings?invite=true#x', '/0198/settings'],
  ['/app/0198/emails', '/0198/emails'],
  ['/app', '/'],
  ['/account', '/account'],
  ['/device#code=BCDF-GHJK', '/device'],
])('a login leads to %s', (next, to) => {
  expect(leadTo(next, HERE).to).toBe(to)
})

test.each([
  undefined,
  '',
  'https://elsewhere.test/x',
  '//elsewhere.test/x',
  '/\\elsewhere.test',
  '\\\\elsewhere.test',
  'javascript:alert(1)',
  'data:text/html,x',
  'https://mail.example.com.elsewhere.test/',
  'https://mail.example.com@elsewhere.test/',
  'http://[',
  '/login',
  '/app/login?next=/login',
  '/reset',
])('a login does not lead to %s, but to the start page', (next) => {
  expect(leadTo(next, HERE)).toEqual({ to: '/', search: {}, hash: '' })
})

test('leading slashes never name another host', () => {
  expect(leadTo('/app//elsewhere.test/x', HERE).to).toBe('/elsewhere.test/x')
})
