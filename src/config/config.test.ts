import { expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

/** Returns the problems of a configuration, empty if it is valid. */
function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

test('read: relays with user, password and port, by default the usual port', () => {
  const { delivery } = readConfig({
    SENDWRIGHT_DELIVERY: 'smtp://one.test, smtps://us%40x:a%20b@two.test, smtp://[::1]:2525',
  })
  expect(delivery).toEqual({
    kind: 'relay',
    relays: [
      { host: 'one.test', port: 587, implicitTls: false, user: null, password: null },
      { host: 'two.test', port: 465, implicitTls: true, user: 'us@x', password: 'a b' },
      { host: '[::1]', port: 2525, implicitTls: false, user: null, password: null },
    ],
  })
})

test.each([
  'smtp://us:secret%ff@one.test',
  'smtp://us:secret@',
  'smtp://us:secret@one.test:99999',
  'smtp:secret',
])('a problem that does not repeat the password: the relay %s', (text) => {
  const problems = problemsOf({ SENDWRIGHT_DELIVERY: text })
  expect(problems).toEqual(['SENDWRIGHT_DELIVERY: a relay must look like smtp(s)://user:password@host:port.'])
})

test('a problem: an unknown delivery mode', () => {
  expect(problemsOf({ SENDWRIGHT_DELIVERY: 'imap://us:secret@one.test' })).toEqual([
    'SENDWRIGHT_DELIVERY: delivery must be capture, direct, or smtp(s)://user:password@host:port, comma-separated.',
  ])
})

test('read: DNS servers by address, with and without a port', () => {
  const config = readConfig({
    SENDWRIGHT_DNS_SERVERS: '192.0.2.1, 192.0.2.2:5353,2001:db8::1,[2001:db8::2]:53',
    SENDWRIGHT_DNSSEC_RESOLVER: ' 127.0.0.1:5300 ',
  })
  expect(config.dnsServers).toEqual(['192.0.2.1', '192.0.2.2:5353', '2001:db8::1', '[2001:db8::2]:53'])
  expect(config.dnssecResolver).toBe('127.0.0.1:5300')
})

test('read: the address to listen on; localhost is one address', () => {
  const read = (text?: string) => readConfig(text === undefined ? {} : { HOST: text }).host
  expect([read(), read('localhost'), read('::1')]).toEqual(['127.0.0.1', '127.0.0.1', '::1'])
})

test('read: the name of a cell, none by default', () => {
  const read = (text?: string) => readConfig(text === undefined ? {} : { SENDWRIGHT_CELL: text }).cell
  expect([read(), read('a'), read('7'), read('eucentr1')]).toEqual([null, 'a', '7', 'eucentr1'])
})

test.each(['eucentral', 'A1', 'a_1', 'a-1', 'a.1', 'a 1', 'é', 'a1\n'])(
  'a problem: %j as the name of a cell',
  (text) => {
    expect(problemsOf({ SENDWRIGHT_CELL: text })).toEqual([
      `SENDWRIGHT_CELL: "${text}" is not a name of 1 to 8 characters a-z and 0-9.`,
    ])
  },
)

test('read: trusted proxies, none by default', () => {
  const read = (text?: string) =>
    readConfig(text === undefined ? {} : { SENDWRIGHT_TRUSTED_PROXIES: text }).trustedProxies
  expect(read()).toEqual([])
  expect(read('127.0.0.1, 10.0.0.0/8,fd00::/8 ,::ffff:192.0.2.0/120')).toEqual([
    { address: '127.0.0.1', prefix: 32 },
    { address: '10.0.0.0', prefix: 8 },
    { address: 'fd00::', prefix: 8 },
    { address: '192.0.2.0', prefix: 24 },
  ])
})

test.each([
  'proxy.test',
  '10.0.0.0/33',
  '::1/129',
  '10.0.0.1,',
  '10.0.0.0/-1',
  '0.0.0.0/0',
  '::/0',
  '1.2.3',
  '::ffff:1.2.3.4/90',
])('a problem, reported with all others: the trusted proxies %s', (text) => {
  const problems = problemsOf({ SENDWRIGHT_TRUSTED_PROXIES: text, SENDWRIGHT_DNS_SERVERS: 'x' })
  expect(problems).toHaveLength(2)
  expect(problems.join('\n')).toMatch(
    /^SENDWRIGHT_TRUSTED_PROXIES: ".*" (is not an IP address or a network|has an invalid prefix|would trust)/m,
  )
})

test('read: the ports of attachment URLs, by default 80 and 443', () => {
  const read = (text?: string) =>
    readConfig(text === undefined ? {} : { SENDWRIGHT_ATTACHMENT_PORTS: text }).attachmentPorts
  expect([read(), read('8080, 443'), read('any')]).toEqual([[80, 443], [8080, 443], 'any'])
})

test.each(['0', '80,', '80;443', '70000', 'http'])('a problem: attachment URLs on port "%s"', (text) => {
  const [problem, ...more] = problemsOf({ SENDWRIGHT_ATTACHMENT_PORTS: text })
  expect(problem).toMatch(/^SENDWRIGHT_ATTACHMENT_PORTS: ".*" is not a port \([01]-65535\)\.$/)
  expect(more).toEqual([])
})

test.each(['localhost', 'dns.example:53', '192.0.2.1:99999', '192.0.2.1:', '[192.0.2.1:53', '::1:x', ''])(
  'a problem at startup instead of mail that waits forever: the DNS server "%s"',
  (text) => {
    expect(
      problemsOf({ SENDWRIGHT_DNS_SERVERS: `192.0.2.9,${text}`, SENDWRIGHT_DNSSEC_RESOLVER: text }),
    ).toEqual([
      `SENDWRIGHT_DNS_SERVERS: "${text}" is not an address or address:port.`,
      ...(text === '' ? [] : [`SENDWRIGHT_DNSSEC_RESOLVER: "${text}" is not an address or address:port.`]),
    ])
  },
)

test('read: the number of workers, by default auto', () => {
  expect(readConfig({}).workers).toBe('auto')
  expect(readConfig({ SENDWRIGHT_WORKERS: 'auto' }).workers).toBe('auto')
  expect(readConfig({ SENDWRIGHT_WORKERS: '3' }).workers).toBe(3)
})

test.each(['0', '65', '-1', '1.5', 'many', '4x'])('a problem: %s workers', (text) => {
  expect(problemsOf({ SENDWRIGHT_WORKERS: text })).toEqual([
    `SENDWRIGHT_WORKERS: "${text}" is neither auto nor a number from 1 to 64.`,
  ])
})

const HTTPS = { SENDWRIGHT_HTTPS_PORT: '443', PUBLIC_URL: 'https://api.example.com' }
const FILES = { SENDWRIGHT_TLS_CERT: 'cert.pem', SENDWRIGHT_TLS_KEY: 'key.pem' }

test('read: HTTPS with files or with ACME, and the directory that letsencrypt stands for', () => {
  expect(readConfig({ ...HTTPS, ...FILES }).httpsPort).toBe(443)
  const { acmeDirectory, acmeEmail, acmeChallenges } = readConfig({
    ...HTTPS,
    SENDWRIGHT_ACME: 'letsencrypt',
    SENDWRIGHT_ACME_EMAIL: 'admin@example.com',
    SENDWRIGHT_ACME_CHALLENGES: 'tls-alpn-01, http-01',
  })
  expect(acmeChallenges).toEqual(['tls-alpn-01', 'http-01'])
  expect(acmeDirectory).toBe('https://acme-v02.api.letsencrypt.org/directory')
  expect(acmeEmail).toBe('admin@example.com')
})

test.each([
  [HTTPS, 'SENDWRIGHT_HTTPS_PORT: set SENDWRIGHT_ACME, or SENDWRIGHT_TLS_CERT and SENDWRIGHT_TLS_KEY.'],
  [
    { ...HTTPS, ...FILES, PUBLIC_URL: 'http://api.example.com' },
    'SENDWRIGHT_HTTPS_PORT: set PUBLIC_URL to an https:// URL.',
  ],
  [
    { ...HTTPS, ...FILES, PORT: '443' },
    'SENDWRIGHT_HTTPS_PORT: it must differ from PORT, which redirects to it.',
  ],
  [
    { ...HTTPS, ...FILES, SENDWRIGHT_ACME: 'letsencrypt' },
    'SENDWRIGHT_ACME: set it or SENDWRIGHT_TLS_CERT, not both.',
  ],
  [
    { SENDWRIGHT_ACME: 'letsencrypt', PUBLIC_URL: 'https://192.0.2.1' },
    'SENDWRIGHT_ACME: set PUBLIC_URL to https:// and a public DNS name of this server.',
  ],
  [
    { SENDWRIGHT_ACME: 'http://acme.example.com/directory' },
    'SENDWRIGHT_ACME: "http://acme.example.com/directory" is neither letsencrypt nor the https URL of an ACME directory.',
  ],
  [
    { SENDWRIGHT_ACME_EMAIL: 'admin@example.com' },
    'SENDWRIGHT_ACME_EMAIL: it has no effect without SENDWRIGHT_ACME.',
  ],
  [
    { SENDWRIGHT_ACME_CHALLENGES: 'http-01,dns-01' },
    'SENDWRIGHT_ACME_CHALLENGES: "http-01,dns-01" is neither http-01, tls-alpn-01 nor both, comma-separated.',
  ],
  [
    { SENDWRIGHT_ACME_CHALLENGES: 'tls-alpn-01' },
    'SENDWRIGHT_ACME_CHALLENGES: tls-alpn-01 needs SENDWRIGHT_HTTPS_PORT.',
  ],
])('a problem of TLS: %o', (environment, problem) => {
  expect(problemsOf(environment as Record<string, string>)).toEqual([problem])
})

const OIDC = {
  SENDWRIGHT_OIDC_ISSUER: 'https://login.example.com/realms/acme',
  SENDWRIGHT_OIDC_CLIENT_ID: 'sendwright',
  SENDWRIGHT_OIDC_DOMAINS: 'example.com, Example.ORG',
}

test('read: an OpenID provider with the roles of groups, whose names may contain commas and equals signs', () => {
  const team = '0198c0de-0000-7000-8000-000000000001'
  const roles = `CN=Mail,OU=IT=admin; staff=viewer@${team};`
  const config = readConfig({ ...OIDC, SENDWRIGHT_OIDC_ROLES: roles, SENDWRIGHT_PASSWORD_LOGIN: 'off' })
  expect(config).toMatchObject({
    passwordLogin: false,
    oidcClientSecret: null,
    oidcScopes: 'openid email profile',
    oidcDomains: ['example.com', 'example.org'],
    oidcSessionMs: 12 * 3_600_000,
    oidcRoles: [
      { group: 'CN=Mail,OU=IT', role: 'admin', teamId: null },
      { group: 'staff', role: 'viewer', teamId: team },
    ],
  })
})

test.each([
  ['SENDWRIGHT_OIDC_ISSUER', 'http://login.example.com', 'is not an https URL'],
  ['SENDWRIGHT_OIDC_ISSUER', 'https://ann@login.example.com', 'user name'],
  ['SENDWRIGHT_OIDC_SCOPES', 'email', 'must include openid'],
  ['SENDWRIGHT_OIDC_DOMAINS', 'example', 'is not a domain'],
  ['SENDWRIGHT_OIDC_ROLES', 'staff=boss', 'is not GROUP=ROLE'],
  ['SENDWRIGHT_OIDC_SESSION', '0h', 'is shorter than 1m'],
  ['SENDWRIGHT_OIDC_SESSION', '91d', 'is longer than 90d'],
  ['SENDWRIGHT_PASSWORD_LOGIN', 'no', 'neither on nor off'],
])('a problem: %s=%s', (name, value, problem) => {
  const problems = problemsOf({ ...OIDC, [name]: value })
  expect(problems).toHaveLength(1)
  expect(problems[0]).toContain(name)
  expect(problems[0]).toContain(problem)
})

test('a problem: a provider without client or domains, and no way to log in', () => {
  expect(problemsOf({ SENDWRIGHT_OIDC_ISSUER: OIDC.SENDWRIGHT_OIDC_ISSUER }).join()).toMatch(
    /SENDWRIGHT_OIDC_CLIENT_ID.*SENDWRIGHT_OIDC_DOMAINS/,
  )
  expect(problemsOf({ SENDWRIGHT_PASSWORD_LOGIN: 'off' }).join()).toContain('nobody could log in')
  expect(readConfig({ ...OIDC, SENDWRIGHT_OIDC_ISSUER: 'http://127.0.0.1:3000' }).oidcIssuer).not.toBeNull()
})

const S3 = { SENDWRIGHT_S3_ACCESS_KEY: 'id', SENDWRIGHT_S3_SECRET_KEY: 'secret' }

test.each([
  ['file:///var/lib/bodies', { kind: 'directory', path: '/var/lib/bodies' }],
  ['file:///var/with%20space/', { kind: 'directory', path: '/var/with space' }],
  ['s3://bodies', { kind: 's3', bucket: 'bodies', prefix: '' }],
  ['s3://bodies.example/a/b/', { kind: 's3', bucket: 'bodies.example', prefix: 'a/b/' }],
])('read: where bodies go: %s', (text, bodies) => {
  expect(readConfig({ ...S3, SENDWRIGHT_BODIES: text }).bodies).toEqual(bodies)
})

test.each(['bodies', 'file://host/bodies', 's3://', 's3://Bodies', 's3://bodies?region=x', 'https://bodies'])(
  'rejected: bodies in %s',
  (text) => {
    expect(problemsOf({ ...S3, SENDWRIGHT_BODIES: text })).toEqual([
      'SENDWRIGHT_BODIES: it must be file:///DIRECTORY or s3://BUCKET/PREFIX.',
    ])
  },
)

test('rejected: S3 without a key, an endpoint with a path, an age of less than a second', () => {
  const [problem = ''] = problemsOf({ ...S3, SENDWRIGHT_S3_SECRET_KEY: '', SENDWRIGHT_BODIES: 's3://bodies' })
  expect(problem).toContain('s3:// needs SENDWRIGHT_S3_ACCESS_KEY and SENDWRIGHT_S3_SECRET_KEY')
  expect(problemsOf({ SENDWRIGHT_S3_ENDPOINT: 'https://s3.example/bucket' })).toHaveLength(1)
  expect(problemsOf({ SENDWRIGHT_BODIES_AFTER: '10ms' })).toHaveLength(1)
})
