import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { EVENT_KINDS, type EventKind } from '../../src/events/catalogue.ts'
import { writeWebhookBody } from '../../src/webhooks/request/body.ts'
import { formatWebhookSecret, newWebhookSecret } from '../../src/webhooks/request/secrets.ts'
import { signWebhook } from '../../src/webhooks/request/sign.ts'

const GUIDE = readFileSync(join(import.meta.dirname, '../../docs/guides/webhooks.md'), 'utf8')

/** Returns the expected section of docs/guides/webhooks.md about an event. */
function sectionOf({ type, summary, example }: EventKind): string {
  const createdAt = new Date('2026-01-15T09:30:02Z')
  const body = JSON.parse(writeWebhookBody({ type, createdAt, data: { ...example } }))
  return `### ${type}\n\n${summary}\n\n\`\`\`json\n${JSON.stringify(body, null, 2)}\n\`\`\`\n`
}

describe('docs/guides/webhooks.md', () => {
  test.each(EVENT_KINDS)('describes $type and shows its body, as in the catalogue', (kind) => {
    expect(GUIDE).toContain(sectionOf(kind))
  })

  test('shows only existing events', () => {
    const shown = [...GUIDE.matchAll(/^### (.*)$/gm)].map((match) => match[1])
    expect(shown).toEqual(EVENT_KINDS.map(({ type }) => type))
  })

  test("verifies X-Webhook-Signature as its example for SendKit's clients does", async () => {
    const [, source = ''] = GUIDE.match(/written for SendKit[\s\S]*?```js\n([\s\S]*?)```/) ?? []
    const { isGenuine } = await import(`data:text/javascript,${encodeURIComponent(source)}`)
    const [newest, old] = [newWebhookSecret(), newWebhookSecret()]
    const body = '{"type":"email.delivered","data":{"subject":"Grüße"}}'
    const given = signWebhook([newest, old], 'id', new Date(), body)['x-webhook-signature']
    expect(isGenuine(Buffer.from(body), given, formatWebhookSecret(newest))).toBe(true)
    expect(isGenuine(Buffer.from(body), given, formatWebhookSecret(old))).toBe(false)
    expect(isGenuine(Buffer.from(`${body} `), given, formatWebhookSecret(newest))).toBe(false)
    expect(isGenuine(Buffer.from(body), undefined, formatWebhookSecret(newest))).toBe(false)
  })

  test('lists the actual intervals between attempts', () => {
    const waits = [...GUIDE.matchAll(/^\| \d \| (\d+) (second|minute|hour)s \|$/gm)].map(
      ([, count, unit]) => Number(count) * UNITS_MS[unit as 'second'],
    )
    expect(waits).toEqual(readConfig({}).webhookRetryScheduleMs)
  })
})

const UNITS_MS = { second: 1000, minute: 60_000, hour: 3_600_000 }
