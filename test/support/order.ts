import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The slowest test files, in the order in which they start: a long file that starts last would run alone. */
const FIRST = [
  'test/contract/contract',
  'test/engine/fuzz-bodies',
  'test/threats/isolation',
  'src/db/embedded/embedded-postgres',
  'test/schema-statements',
  'test/engine/backup',
  'test/engine/mime',
  'clients/test/retries',
  'test/threats/account-mail',
  'test/docs/guides-in-languages',
  'src/inbound/dsn/hostile',
  'test/threats/hostile-input',
  'test/engine/audit',
  'test/engine/modes',
  'src/privacy/retention/retention-round',
  'src/cli/commands',
  'test/engine/fuzz',
  'test/engine/single-sign-on',
  'clients/test/calls',
  'test/engine/tls-reports',
  'test/engine/submission-limits',
  'test/clients/resend-methods',
  'test/contract/methods',
  'src/audience/imports/run-import',
]

/** Starts with the long files, regardless of the results of an earlier run, then in the default order. */
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
