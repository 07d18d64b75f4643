import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectralCore from '@stoplight/spectral-core'
import spectralRulesets from '@stoplight/spectral-rulesets'
import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { API_TAGS } from '../../app/api-tags.ts'
import { API_ROUTES, OPERATOR_ROUTES } from '../../app/routes.ts'
import { describeEvents } from '../../events/openapi-events.ts'
import { healthRoutes } from '../../operator/health-routes.ts'
import { docsRoutes } from './docs-routes.ts'
import { describeApi } from './openapi.ts'

/** The document as the server publishes it. */
const PUBLIC_URL = 'https://mail.acme.test'
const ROUTES = [
  ...API_ROUTES,
  ...OPERATOR_ROUTES,
  ...healthRoutes({ checks: [], registry: new Registry(), metricsToken: 'token' }),
]
const DOCUMENT = describeApi([...ROUTES, ...docsRoutes(ROUTES, PUBLIC_URL)], PUBLIC_URL, {
  webhooks: describeEvents(),
  tags: API_TAGS,
})

/**
 * Redocly warnings about paths that cannot change. The rule compares path templates by segment and lets a parameter match
 * everything, so neither a pattern nor a format of `id` satisfies it. No request is ambiguous: `imports` is neither an id nor
 * an address, `lists`, `erase` and `export` are not ids, and the server prefers fixed segments.
 */
const KNOWN = [
  'no-ambiguous-paths: Paths should resolve unambiguously. Found two ambiguous paths: `/contacts/{id}/lists` and `/contacts/imports/{id}`.',
  'no-ambiguous-paths: Paths should resolve unambiguously. Found two ambiguous paths: `/contacts/imports/{id}` and `/contacts/{id}/erase`.',
  'no-ambiguous-paths: Paths should resolve unambiguously. Found two ambiguous paths: `/contacts/imports/{id}` and `/contacts/{id}/export`.',
]

test('accepted by Redocly without warnings', async () => {
  const config = await createConfig({ extends: ['recommended'] })
  const source = JSON.stringify(DOCUMENT)
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config })
  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`).sort()).toEqual(KNOWN.toSorted())
}, 120_000)

test('accepted by Spectral without warnings', async () => {
  const spectral = new spectralCore.Spectral()
  spectral.setRuleset({
    // The types of the two packages do not match.
    extends: [spectralRulesets.oas as never],
  })
  const problems = await spectral.run(DOCUMENT)
  expect(problems.map(({ code, message, path }) => `${code}: ${message} ${path.join('/')}`)).toEqual([])
}, 120_000)

test('every operation has a readable id, a short imperative summary, and a description', () => {
  const wrong = ROUTES.filter(
    ({ operationId = '', summary, description = '' }) =>
      !/^[a-z][A-Za-z]{2,39}$/.test(operationId) ||
      !/^[A-Z][^.:]{2,50}$/.test(summary) ||
      !/\.$/.test(description),
  )
  expect(wrong.map(({ method, path }) => `${method} ${path}`)).toEqual([])
})

/** A larger document takes readers and generators too long. */
const DOCUMENT_BYTES_MAX = 414_964

test('smaller than its limit', () => {
  expect(Buffer.byteLength(JSON.stringify(DOCUMENT))).toBeLessThanOrEqual(DOCUMENT_BYTES_MAX)
})
