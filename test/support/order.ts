import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The slowest test files, in the order in which they start: a long file that starts last would run alone. Of the measured journeys,
 * the one that holds answers to a time comes last, when the journeys beside them have ended.
 */
const FIRST = [
  'test/journeys/killed-automation',
  'test/journeys/killed-workers',
  'test/journeys/killed-campaign',
  'test/journeys/memory-of-one-team',
  'test/journeys/paused-campaign',
  'test/journeys/first-start',
  'test/journeys/killed-packer',
  'test/journeys/packed',
  'test/journeys/drain-on-sigterm',
  'test/journeys/killed-server',
  'test/journeys/certificates',
  'test/journeys/held-loop-large',
  'test/journeys/held-loop',
  'test/browser/campaigns.browser',
  'test/browser/sending.browser',
  'test/browser/emails.browser',
  'test/browser/automations.browser',
  'test/browser/access.browser',
  'test/browser/imports.browser',
  'test/browser/account.browser',
  'test/browser/contacts.browser',
  'test/browser/docs.browser',
  'test/browser/overview.browser',
  'test/browser/templates.browser',
  'test/contract/contract',
  'test/engine/campaign-pace',
  'test/engine/campaigns',
  'test/engine/fuzz-bodies',
  'test/threats/isolation',
  'src/db/embedded/embedded-postgres',
  'test/schema-statements',
  'test/engine/backup',
  'test/engine/bodies',
  'test/engine/mime',
  'clients/test/retries',
  'test/threats/account-mail',
  'test/docs/guides',
  'src/inbound/dsn/hostile',
  'test/threats/hostile-input',
  'test/engine/audit',
  'test/engine/modes',
  'src/privacy/retention/retention-round',
  'src/cli/operator/commands',
  'test/engine/campaign-meanwhile',
  'clients/test/install',
  'test/engine/event-feed',
  'src/db/db',
  'test/engine/campaign-zones',
  'test/engine/erase-mail',
  'test/engine/https',
  'test/engine/automations',
  'test/engine/campaign-audience',
  'test/engine/campaign-links',
  'src/bodies/packing/pack-round',
  'src/automations/working/automation-time',
  'test/threats/domain-keys',
  'test/engine/fuzz',
  'test/engine/single-sign-on',
  'clients/test/calls',
  'test/engine/tls-reports',
  'test/engine/submission-limits',
  'test/clients/resend-methods',
  'test/contract/methods',
  'src/audience/imports/run-import',
]

/** What the files of one shared service contain (shared-sendwright.ts). They run last, so that no service idles meanwhile. */
const SHARING = [
  /shareSendwright\('webhooks'\)|\b(useServer|describeClients)\(/,
  /shareSendwright\('capture'\)|\buseCommandLine\(/,
  /shareSendwright\('direct'\)/,
]

/**
 * Starts with the long files, regardless of the results of an earlier run, then in the default order. Ends with those that share
 * a service.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files)
    return usual
      .map((file) => ({ file, place: placeOf(file) }))
      .sort((a, b) => a.place - b.place)
      .map(({ file }) => file)
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = FIRST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
  const text = readFileSync(moduleId, 'utf8')
  const group = SHARING.findIndex((pattern) => pattern.test(text)) + 1
  return group * (FIRST.length + 1) + (place === -1 ? FIRST.length : place)
}
