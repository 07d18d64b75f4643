import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Sender, startTestSendwright, type TestSendwright } from '../support/sendwright.ts'
import { readExamples } from './examples.ts'
import { GUIDE_ENVIRONMENT, runExample } from './run-example.ts'

/**
 * Runs every command of docs/guides in order, and compares each response with the guide: the same fields and values,
 * with `…` for any value. Ids, API keys and times may differ; an id or key in a response stands for the real one in
 * later commands of the guide.
 */
const FOLDER = join(import.meta.dirname, '../../docs/guides')
let service: TestSendwright

beforeAll(async () => {
  service = await startTestSendwright({
    roles: ['api', 'deliver', 'scheduler', 'inbound'],
    environment: GUIDE_ENVIRONMENT,
  })
})
afterAll(() => service?.stop())

const guides = readdirSync(FOLDER).filter((name) => name.endsWith('.md'))

describe.each(guides)('%s', (name) => {
  const examples = readExamples(readFileSync(join(FOLDER, name), 'utf8'))
  const ids = new Map<string, string>()
  let sender: Sender

  beforeAll(async () => {
    // Guides send from example.com. Each runs as a separate team, whose domain is then released.
    sender = await service.givenSender({ domain: 'example.com' })
  })
  afterAll(async () => {
    await service.db.query('delete from verified_domain where team_id = $1', [sender.id])
  })

  test('has examples', () => expect(examples.length).toBeGreaterThan(0))

  test.each(
    examples.map((example) => [`${example.line}: ${example.method} ${example.path}`, example] as const),
  )('line %s', (_, example) => runExample(example, { service, sender, ids }))
})
