import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take longest, in the order in which they begin: a long file that begins last has the processors to itself. */
const FIRST = [
  'test/engine/fuzz-bodies',
  'test/contract/contract',
  'test/threats/isolation',
  'src/cli/commands',
  'test/engine/backup',
  'src/db/embedded/embedded-postgres',
  'src/privacy/retention/retention-round',
  'src/domains/domains',
  'test/engine/tls-policy',
  'test/engine/fuzz',
  'test/engine/retries',
  'test/contract/openapi-examples',
  'test/engine/erase-mail',
  'test/engine/schedule',
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
