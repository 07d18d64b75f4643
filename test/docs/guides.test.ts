import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LANGUAGES } from '../../clients/test/support/interpreters.ts'
import { type FaultyProxy, startFaultyProxy } from '../../packages/sdk/test/support/proxy.ts'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'
import { type Example, readExamples, type VariantLanguage } from './examples.ts'
import { GUIDE_ENVIRONMENT, type GuideRun, runExample } from './run-example.ts'
import { createRunners, type Runner, runVariant } from './run-variant.ts'

/**
 * Runs every command of docs/guides in order, and compares each response with the guide: the same fields and values,
 * with `…` for any value. Ids, API keys and times may differ; an id or key in a response stands for the real one in
 * later commands of the guide.
 *
 * Runs each guide once more in each language of the clients: the calls that a guide shows in this language, and the
 * commands between them. A call must make the same request as its command.
 */
const FOLDER = join(import.meta.dirname, '../../docs/guides')
const NODE: { language: VariantLanguage; title: string; isAbsent: boolean } = {
  language: 'ts',
  title: 'Node',
  isAbsent: false,
}
const ALL = [NODE, ...LANGUAGES].map((each) => ({ ...each, runners: createRunners(each.language) }))

let service: TestSendwright
let proxy: FaultyProxy

beforeAll(async () => {
  service = await startTestSendwright({
    roles: ['api', 'deliver', 'scheduler', 'inbound'],
    environment: GUIDE_ENVIRONMENT,
  })
  proxy = await startFaultyProxy(service.url)
})
afterAll(async () => {
  for (const { runners } of ALL) await runners.close()
  await proxy?.close()
  await service?.stop()
})

const guides = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.md'))
  .map((name) => ({ name, examples: readExamples(readFileSync(join(FOLDER, name), 'utf8')) }))

/** Declares a test for each command of a guide, which runs as a separate team. */
function testEach(examples: readonly Example[], run: (example: Example, guide: GuideRun) => Promise<void>) {
  const ids = new Map<string, string>()
  let sender: Sender

  beforeAll(async () => {
    // Guides send from example.com, which the team then releases.
    sender = await service.givenSender({ domain: 'example.com' })
  })
  afterAll(async () => {
    await service.db.query('delete from verified_domain where team_id = $1', [sender.id])
  })

  test.each(
    examples.map((example) => [`${example.line}: ${example.method} ${example.path}`, example] as const),
  )('line %s', (_, example) => run(example, { service, sender, ids }))
}

describe.each(guides)('curl: $name', ({ examples }) => {
  test('has examples', () => expect(examples.length).toBeGreaterThan(0))
  testEach(examples, runExample)
})

for (const { language, title, isAbsent, runners } of ALL) {
  describe.skipIf(isAbsent).each(guides)(`${title}: $name`, ({ examples }) => {
    const files = examples.at(-1)?.files ?? new Map<string, string>()
    let runner: Runner | null = null
    afterAll(() => runner?.close())

    testEach(examples, async (example, guide) => {
      const code = example.variants[language]
      if (code === undefined) return runExample(example, guide)
      runner ??= await runners.enter(proxy.url, guide.sender, files)
      await runVariant(example, code, runner, proxy, guide)
    })
  })
}

describe('the languages of a guide', () => {
  test.each(guides)('$name shows its first call of each kind in all of them', ({ examples }) => {
    const seen = new Set<string>()
    const missing = examples.filter(isCall).filter((example) => {
      const kind = kindOf(example)
      const isFirst = !seen.has(kind)
      seen.add(kind)
      return isFirst && ALL.some(({ language }) => example.variants[language] === undefined)
    })
    expect(missing.map(({ line, method, path }) => `${line}: ${method} ${path}`)).toEqual([])
  })
})

/** Commands that succeed with the key of the team, over HTTP. */
function isCall({ mail, headers, status }: Example): boolean {
  return mail === null && headers.authorization === 'Bearer $KEY' && (status ?? 200) < 300
}

/** `POST /contacts/{}/lists` for `POST /contacts/ann@customer.example/lists`. */
function kindOf({ method, path }: Example): string {
  const [route = ''] = path.split('?')
  const parts = route.split('/').map((part, index) => {
    // `receipt` is the alias of a template.
    return index < 2 || (/^[a-z-]+$/.test(part) && part !== 'receipt') ? part : '{}'
  })
  return `${method === 'PUT' ? 'PATCH' : method} ${parts.join('/')}`
}
