import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that take longest, in the order in which they are begun. Those that mostly wait (for leases, timers, processes)
 * stand between those that compute, so that all the way through one of three workers leaves the processors to the others.
 */
const FIRST = [
  'test/journeys/killed-processes',
  'test/engine/fuzz-bodies',
  'test/journeys/killed-server',
  'test/contract/contract',
  'test/journeys/database-away',
  'test/threats/isolation',
  'src/cli/commands',
  'test/journeys/destination-down',
  'test/engine/backup',
  'test/journeys/told-to-stop',
  'src/store/embedded-postgres',
  'test/journeys/killed-unsettled',
  'src/operations/retention/round',
  'test/journeys/killed-inbound',
  'test/journeys/first-start',
  'src/operations/domains',
  'test/engine/tls-policy',
  'test/engine/fuzz',
  'test/engine/retries',
  'test/contract/openapi-examples',
  'test/engine/erase-mail',
  'test/engine/schedule',
  'test/journeys/exact-limits',
  'test/journeys/killed-webhooks',
  'test/journeys/killed-submission',
]

/** Begins with the long files, whatever an earlier run left to go by; then as usual. */
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
  return place === -1 ? FIRST.length : place
}
