import { afterAll, beforeAll, expect, test } from 'vitest'
import { givenDashboard, ready } from './support/dashboard.ts'
import { overflowOf } from './support/fit.ts'
import { setTrap, type Trap } from './support/trap.ts'

const dashboard = givenDashboard()
let trap: Trap
beforeAll(async () => {
  trap = await setTrap()
})
afterAll(() => trap.close())

/** What a parser reads otherwise when it reads what it wrote itself: an element leaves the text that it hid in. */
const MUTATING = (url: string) => [
  `<form><math><mtext></form><form><mglyph><style></math><link rel="preconnect" href="${url}"><a href="${url}">x</a>`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;link rel=preconnect href='${url}'&gt;">`,
]

test('an email that is read otherwise when it is written anew leaves no link to another host', async () => {
  for (const html of MUTATING(trap.url)) {
    const id = await dashboard.sender.send({ html: `<p>Words.</p>${html}` })
    const page = await dashboard.open(`/emails/${id}`)
    const frame = page.frameLocator('iframe')
    await frame.getByText('Words.').waitFor()
    expect(await frame.locator('link, [href]').count(), html).toBe(0)
    await trap.expectUnsprung(page)
  }
})

test('an id in the address that is a path is nothing, and asks the server for nothing', async () => {
  const page = await dashboard.open('/smtp')
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  for (const area of ['emails', 'webhooks', 'segments', 'automations']) {
    for (const id of ['..%2F..%2Fsession', 'x%3Fq=1%23']) {
      await page.goto(`/app/${dashboard.sender.id}/${area}/${id}`)
      await page.getByText('There is nothing here').waitFor()
    }
  }
  const reached = asked.filter((path) => /^\/(emails|webhooks|segments|automations)\//.test(path))
  expect(reached).toEqual([])
})

const ODD = [
  '{"toString":1,"valueOf":1}',
  '[{"a":1}]',
  '{"__proto__":{"x":1}}',
  'a'.repeat(500),
  '\0',
  'null',
  '1e400',
]
const NAMES = [
  ...['q', 'status', 'start_date', 'end_date', 'range', 'view', 'list_id', 'folder', 'edit', 'tab'],
  ...['dialog', 'action', 'type', 'paused', 'site', 'pause', '__proto__', 'constructor'],
]
const PLACES = [
  ...[
    '',
    '/emails',
    '/templates',
    '/contacts',
    '/lists',
    '/properties',
    '/suppressions',
    '/domains',
    '/senders',
  ],
  ...['/api-keys', '/webhooks', '/campaigns', '/automations', '/settings', '/audit', '/imports/contacts'],
  ...['/app/operator/teams', '/app/operator/sites'],
]

test('whatever an address asks for, the page stands', async () => {
  const page = await dashboard.open('/smtp', { isOperator: true })
  for (const [turn, place] of PLACES.entries()) {
    const asked = NAMES.map((name, index) => [name, ODD[(index + turn) % ODD.length] ?? ''])
    const path = place.startsWith('/app') ? place : `/app/${dashboard.sender.id}${place}`
    await page.evaluate(
      (to) => {
        history.pushState({}, '', to)
        dispatchEvent(new PopStateEvent('popstate'))
      },
      `${path}?${new URLSearchParams(asked)}`,
    )
    await ready(page)
    expect(await page.getByText('This page could not be shown').count(), place).toBe(0)
  }
})

test('an email of 100,000 open elements holds nothing up', async () => {
  const id = await dashboard.sender.send({ html: '<div>'.repeat(100_000) })
  const page = await dashboard.open(`/emails/${id}`)
  await page.frameLocator('iframe').getByText('too deep').waitFor()
})

test('a name that is one long word breaks on a phone', async () => {
  const { json } = await dashboard.sender.post('/templates', { name: 'W'.repeat(120), subject: 'x' })
  const page = await dashboard.open(`/templates/${json.id}/versions`, { width: 390 })
  expect(await overflowOf(page)).toBe(0)
})
