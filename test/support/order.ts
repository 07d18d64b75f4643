import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take longest, in the order in which they begin: a long file that begins last has the processors to itself. */
const FIRST = [
  'test/engine/fuzz-bodies',
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
