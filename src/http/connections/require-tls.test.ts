import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import { networks } from '../../config/networks.ts'
import { requireTls } from './require-tls.ts'

function ask(fields: { url?: string; host?: string; peer?: string; method?: 'GET' | 'POST' }) {
  const app = fastify()
  app.all('*', async () => 'plain')
  requireTls(app, {
    publicUrl: 'https://api.example.com:8443',
    trusted: networks('10.0.0.0/8'),
    covers: (host) => host === 'track.example.org',
    isExempt: ({ url = '' }) => url.startsWith('/.well-known/acme-challenge/'),
  })
  const { url = '/emails?page=2', host = 'api.example.com', peer = '192.0.2.1', method = 'GET' } = fields
  return app.inject({ url, method, headers: { host }, remoteAddress: peer })
}

test.each(['GET', 'POST'] as const)('308 to the public URL for %s, with path and query', async (method) => {
  const answer = await ask({ method })
  expect(answer.statusCode).toBe(308)
  expect(answer.headers.location).toBe('https://api.example.com:8443/emails?page=2')
})

test('308 to a host that this server has a certificate for', async () => {
  const { headers } = await ask({ host: 'Track.Example.org:8080', url: '/t/c/1' })
  expect(headers.location).toBe('https://track.example.org:8443/t/c/1')
})

test.each(['evil.example', 'a b', '[::1]', 'evil.example/..'])(
  '308 to the public URL for the foreign host %s',
  async (host) => {
    expect((await ask({ host })).headers.location).toBe('https://api.example.com:8443/emails?page=2')
  },
)

test.each(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1', '10.1.2.3', '::ffff:10.1.2.3'])(
  'no redirect for this machine and trusted proxies: %s',
  async (peer) => {
    expect((await ask({ peer })).body).toBe('plain')
  },
)

test('no redirect for a challenge', async () => {
  expect((await ask({ url: '/.well-known/acme-challenge/abc' })).body).toBe('plain')
})
