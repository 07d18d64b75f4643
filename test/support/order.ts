import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The slowest test files, in the order in which they start: a long file that starts last would run alone. */
const FIRST = [
  'test/engine/fuzz-bodies',
  'test/docs/guides-in-languages',
  'src/cli/commands',
  'test/contract/contract',
  'src/db/embedded/embedded-postgres',
  'test/engine/backup',
  'test/threats/isolation',
  'src/inbound/dsn/variations',
  'src/db/db',
  'src/privacy/retention/retention-round',
  'src/audience/imports/run-import',
  'test/threats/account-mail',
  'test/engine/modes',
  'src/domains/domains',
  'test/engine/erase-mail',
  'src/domains/verify-domain',
  'src/queue/claim',
  'test/engine/mime',
  'test/engine/fuzz',
  'test/engine/tls-reports',
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
