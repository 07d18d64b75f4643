import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readRequirements } from '../support/requirements.ts'
import { proveRow, type Section } from './row.ts'
import { openStage, type Scene, type Stage, validator } from './scene.ts'
import { batchSections } from './tables/batch.ts'
import { contactRuleSections } from './tables/contact-rules.ts'
import { contactSections } from './tables/contacts.ts'
import { domainSections } from './tables/domains.ts'
import { emailContentSections } from './tables/email-content.ts'
import { emailLifeSections } from './tables/email-life.ts'
import { errorSections } from './tables/errors.ts'
import { everyRouteSections } from './tables/every-route.ts'
import { keySections } from './tables/keys.ts'
import { limitSections } from './tables/limits.ts'
import { listSections } from './tables/lists.ts'
import { mimeSections } from './tables/mime.ts'
import { propertySections } from './tables/properties.ts'
import { requestSections } from './tables/requests.ts'
import { segmentSections } from './tables/segments.ts'
import { sendEmailSections } from './tables/send-email.ts'
import { serviceSections } from './tables/service.ts'
import { suppressionSections } from './tables/suppressions.ts'
import { templateSendingSections } from './tables/template-sending.ts'
import { templateVariableSections } from './tables/template-variables.ts'
import { templateSections } from './tables/templates.ts'

/**
 * The API contract, derived from docs/requirements.md and not from the code: each row names the requirement that it
 * checks. Rows run over real HTTP against the complete service. A failing row is a disagreement between the service
 * and its requirements.
 */
const SECTIONS: readonly Section[] = [
  ...batchSections,
  ...contactRuleSections,
  ...contactSections,
  ...domainSections,
  ...emailContentSections,
  ...errorSections,
  ...everyRouteSections,
  ...keySections,
  ...limitSections,
  ...listSections,
  ...mimeSections,
  ...propertySections,
  ...requestSections,
  ...segmentSections,
  ...sendEmailSections,
  ...suppressionSections,
  ...templateSendingSections,
  ...templateSections,
  ...templateVariableSections,
  // These start a second service, which would cost more the longer it ran.
  ...emailLifeSections,
  ...serviceSections,
]

/** Returns the first sentence of the requirement. */
const sentenceOf = (id: string) => REQUIREMENTS.get(id)?.split(/(?<=\.) /)[0] ?? ''

let stage: Stage
let proven = 0
const REQUIREMENTS = readRequirements()
const shown = new Set(SECTIONS.flatMap(({ rows }) => rows.map(({ requirement }) => requirement)))

beforeAll(async () => {
  stage = await openStage()
})
afterAll(async () => {
  console.log(`${proven} cases of ${shown.size} requirements proven`)
  await stage.stop()
})

describe.each(SECTIONS)('$heading', ({ rows }) => {
  let scene: Scene
  beforeAll(async () => {
    scene = await stage.scene()
  })

  for (const row of rows) {
    const route = Array.isArray(row.asks) ? row.asks[0] : undefined
    const name = [`${row.requirement} ${sentenceOf(row.requirement)}`, row.by ?? route]
    test(name.filter((part) => part !== undefined).join(' | '), async () => {
      expect.hasAssertions()
      await proveRow(row, scene)
      proven++
    })
  }
})

test('every row names a requirement that exists', () => {
  expect([...shown].filter((id) => !REQUIREMENTS.has(id))).toEqual([])
})

test('every response conforms to the OpenAPI document', async () => {
  const { count, complaints } = await validator.validate()
  console.log(`${count} kinds of response (operation and status) validated against the OpenAPI document`)
  expect(count).toBeGreaterThan(200)
  expect(complaints).toEqual([])
})
