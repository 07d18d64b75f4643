import { expect, test } from 'vitest'
import { makeVisitToken, readVisitToken, trackHtml, untrackHtml } from './track-links.ts'

const KEY = Buffer.alloc(32, 7)
const EMAIL = {
  teamId: '0198c0de-0000-7000-8000-000000000001',
  emailId: '0198c0de-0000-7000-8000-000000000002',
  no: 0,
}
const TRACKING = {
  opens: true,
  clicks: true,
  baseUrl: 'https://links.ann.test',
  publicUrl: 'https://api.test',
}

/** Returns the target of the HTML's only link after tracking; null if it is not tracked. */
function leadsTo(href: string): string | null {
  const html = trackHtml(KEY, `<a href="${href}">x</a>`, { ...TRACKING, opens: false }, EMAIL)
  const token = /\/t\/c\/([\w-]+)/.exec(html)?.[1]
  return token === undefined ? null : (readVisitToken(KEY, 'clicked', token, null)?.link ?? null)
}

test('a tracked link leads to the URL that a browser would open', () => {
  const cases: [string, string | null][] = [
    ['https://x.test/?a=1&amp;b=2#c', 'https://x.test/?a=1&b=2#c'],
    [' \n\u0001https://x.test/a\n b\t ', 'https://x.test/a b'],
    ['ht\ntps://x.test', 'https://x.test'],
    ['https://x.test/&nbsp;', 'https://x.test/\u00a0'],
    ['\u00a0https://x.test/', null],
    ['https:\\\\x.test', null],
    ['//x.test', null],
    ['java&#10;script:alert(1)', null],
    ['https://', null],
    [`https://x.test/${'a'.repeat(1485)}`, `https://x.test/${'a'.repeat(1485)}`],
    [`https://x.test/${'a'.repeat(1486)}`, null],
    [`https://x.test/${'\u00e9'.repeat(800)}`, null],
  ]
  for (const [href, link] of cases) expect(leadsTo(href), href).toBe(link)
})

test('not tracked: links of the service itself, on the tracking host and on that of the installation', () => {
  for (const host of ['https://links.ann.test', 'https://api.test']) {
    for (const path of ['/unsubscribe/x', '/t/c/x', '/t/o/x']) expect(leadsTo(host + path)).toBeNull()
    expect(leadsTo(`${host}/shop`)).toBe(`${host}/shop`)
  }
  expect(leadsTo('https://shop.test/unsubscribe/x')).toBe('https://shop.test/unsubscribe/x')
})

test('a link with tens of thousands of spaces takes almost no time', () => {
  const href = `https://x.test/${' '.repeat(15_000)}x`
  const html = `<a href="${href}">x</a>`.repeat(200)
  expect(trackHtml(KEY, html, { ...TRACKING, opens: false }, EMAIL)).toBe(html)
})

test("null on the tracking host of another domain, whichever domain's link it is", () => {
  const visit = { ...EMAIL, kind: 'clicked' as const, link: 'https://evil.test' }
  const publicHost = 'api.test'
  const by = (madeFor: string, host: string) =>
    readVisitToken(KEY, 'clicked', makeVisitToken(KEY, visit, madeFor), { host, publicHost })
  expect(by('links.mallory.test', 'links.ann.test')).toBeNull()
  expect(by('api.test', 'links.ann.test')).toBeNull()
  expect(by('links.ann.test', 'links.ann.test')).toEqual(visit)
  expect(by('links.ann.test', '10.0.0.7')).toEqual(visit)
  expect(by('api.test', 'api.test')).toEqual(visit)
  const ownName = { host: 'links.api.test', publicHost: 'links.api.test' }
  expect(readVisitToken(KEY, 'clicked', makeVisitToken(KEY, visit, 'links.ann.test'), ownName)).toEqual(visit)
})

test('untracking restores the original, but leaves links of other emails', () => {
  const other = trackHtml(KEY, '<a href="https://y.test">', TRACKING, { ...EMAIL, emailId: EMAIL.teamId })
  const html = `<body><a href="https://x.test/?a&amp;b=\u00e9">x</a>${other}</body>`
  const tracked = trackHtml(KEY, html, TRACKING, EMAIL)
  expect(tracked).not.toContain('https://x.test')
  expect(untrackHtml(KEY, tracked, EMAIL)).toBe(html)
})
