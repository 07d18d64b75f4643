import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LANGUAGES } from '../../clients/test/support/interpreters.ts'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'
import { type Example, readExamples, type VariantLanguage } from './examples.ts'
import { type RecordingProxy, startRecordingProxy } from './recording-proxy.ts'
import { GUIDE_ENVIRONMENT, runExample } from './run-example.ts'
import { createRunners, type Runner, runVariant } from './run-variant.ts'

/**
 * Runs docs/guides once more in each language of the clients: the calls that a guide shows in this language, and the
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
let proxy: RecordingProxy

beforeAll(async () => {
  service = await startTestSendwright({
    roles: ['api', 'deliver', 'scheduler', 'inbound'],
    environment: GUIDE_ENVIRONMENT,
  })
  proxy = await startRecordingProxy(service.url)
})
afterAll(async () => {
  for (const { runners } of ALL) await runners.close()
  await proxy?.close()
  await service?.stop()
})

const guides = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.md'))
  .map((name) => ({ name, examples: readExamples(readFileSync(join(FOLDER, name), 'utf8')) }))

for (const { language, title, isAbsent, runners } of ALL) {
  describe.skipIf(isAbsent).each(guides)(`${title}: $name`, ({ examples }) => {
    const ids = new Map<string, string>()
    const files = examples.at(-1)?.files ?? new Map<string, string>()
    let sender: Sender
    let runner: Runner

    beforeAll(async () => {
      sender = await service.givenSender({ domain: 'example.com' })
      runner = await runners.enter(proxy.url, sender, files)
    })
    afterAll(async () => {
      await runner?.close()
      await service.db.query('delete from verified_domain where team_id = $1', [sender.id])
    })

    test.each(
      examples.map((example) => [`${example.line}: ${example.method} ${example.path}`, example] as const),
    )('line %s', async (_, example) => {
      const guide = { service, sender, ids }
      const code = example.variants[language]
      if (code === undefined) await runExample(example, guide)
      else await runVariant(example, code, runner, proxy, guide)
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
