import { afterAll, beforeAll, expect, test } from 'vitest'
import { givenDashboard, visit } from './support/dashboard.ts'
import { overflowOf } from './support/fit.ts'
import { setTrap, type Trap } from './support/trap.ts'

const dashboard = givenDashboard()
let trap: Trap
beforeAll(async () => {
  trap = await setTrap()
})
afterAll(() => trap.close())

/** HTML that parses differently after serialization: an element leaves the text that hid it. */
const MUTATING = (url: string) => [
  `<form><math><mtext></form><form><mglyph><style></math><link rel="preconnect" href="${url}"><a href="${url}">x</a>`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;link rel=preconnect href='${url}'&gt;">`,
]

test('an email that changes when it is serialized and parsed again leaves no link to another host', async () => {
  for (const html of MUTATING(trap.url)) {
    const id = await dashboard.sender.send({ html: `<p>Words.</p>${html}` })
    const page = await dashboard.open(`/emails/${id}`)
    const frame = page.frameLocator('iframe')
    await frame.getByText('Words.').waitFor()
    expect(await frame.locator('link, [href]').count(), html).toBe(0)
    await trap.expectUnsprung(page)
  }
})

const CLOBBERED = [
  ...[
    'attributes',
    'parentNode',
    'nodeName',
    'nodeType',
    'children',
    'childNodes',
    'innerHTML',
    'textContent',
  ],
  ...[
    'ownerDocument',
    'firstChild',
    'removeChild',
    'removeAttribute',
    'getAttribute',
    'insertBefore',
    'remove',
  ],
  ...['body', 'head', 'documentElement', 'doctype', 'getElementById', 'querySelectorAll', 'createElement'],
  ...[
    'cookie',
    'implementation',
    'namespaceURI',
    'style',
    'setAttribute',
    'hasChildNodes',
    'firstElementChild',
  ],
]
/** Names and ids that hide properties of forms and of the document (DOM clobbering), each around words of its own. */
const CLOBBERING = (url: string) =>
  CLOBBERING_FORMS(url).map((html, index) => ({
    words: `Words ${index}.`,
    html: html.replace('Words.', `Words ${index}.`),
  }))

const CLOBBERING_FORMS = (url: string) => [
  `<p>Words.</p><form><input name=attributes></form>`,
  `<form id=f><p>Words.</p>${CLOBBERED.map((name) => `<input name=${name}><button id=${name}></button>`).join('')}</form>`,
  `<form id=f></form><p>Words.</p>${CLOBBERED.map((name) => `<input form=f name=${name}>`).join('')}`,
  `${CLOBBERED.map((name) => `<img name=${name}><form name=${name}></form><object id=${name}></object>`).join('')}<p>Words.</p>`,
  `\n<form name=body><input name=insertBefore><img id=a name=b></form><p>Words.</p>`,
  `<p>Words.</p><div><form><div></form><form><input name=parentNode><input name=attributes></div></form>`,
  `<p>Words.</p><svg><form><input name=attributes></form><a href="${url}" id=nodeName><image href="${url}/i" name=body></image></a></svg>`,
  `<p>Words.</p><math><mi name=attributes><form><input name=children><input name=innerHTML></form></mi></math>`,
  `<p>Words.</p><template><form><input name=attributes><img src="${url}/t"></form></template><base href="${url}/">`,
  `<body name=x><p>Words.</p><form onfocus="top.pwned=1"><input id=attributes autofocus onfocus="top.pwned=1"><img src="${url}/x" onerror="top.pwned=1"></form>`,
  `<style><!-- p::after { content: "</b>" } --></style><p>Words.</p><form><fieldset name=elements><output name=length></output></form>`,
]

test('html that hides properties of its document is shown in an email, and nothing runs or is fetched', async () => {
  dashboard.allow(/Content Security Policy|frame is sandboxed/)
  const page = await dashboard.open('/emails')
  for (const { html, words } of CLOBBERING(trap.url)) {
    const id = await dashboard.sender.send({ html })
    await visit(page, `/app/${dashboard.sender.id}/emails/${id}`)
    const frame = page.frameLocator('iframe')
    await frame.getByText(words).waitFor()
    expect(await frame.locator('[name], [href], script, base, template').count(), html).toBe(0)
    await trap.expectUnsprung(page)
  }
})

test('html that hides properties of its document is shown in a template preview and in a campaign', async () => {
  dashboard.allow(/Content Security Policy|frame is sandboxed/)
  const { sender } = dashboard
  const from = await sender.post('/senders', { name: 'Shop', username: 'shop', domain_id: sender.domainId })
  const [page, campaign] = [await dashboard.open('/templates'), await dashboard.open('/campaigns')]
  for (const { html, words } of CLOBBERING(trap.url)) {
    const content = { name: 'Hides', subject: 'Hi', html_content: html, sender_id: from.json.id }
    const template = await sender.post('/templates', content)
    expect(template.status, template.text).toBe(201)
    await visit(page, `/app/${sender.id}/templates/${template.json.id}`)
    await page.frameLocator('iframe').getByText(words).waitFor()
    await trap.expectUnsprung(page)
    const made = await sender.post('/campaigns', { name: 'Hides', subject: 'Hi', html })
    expect(made.status, made.text).toBe(201)
    await visit(campaign, `/app/${sender.id}/campaigns/${made.json.id}`)
    // The editor shows what is written, and the preview what a contact gets.
    for (const frame of [0, 1]) await campaign.frameLocator('iframe').nth(frame).getByText(words).waitFor()
    await trap.expectUnsprung(campaign)
  }
})

test('an id in the URL that is a path is not found, and causes no request', async () => {
  const page = await dashboard.open('/smtp')
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  for (const area of ['emails', 'webhooks', 'segments', 'automations']) {
    for (const [index, id] of ['..%2F..%2Fsession', 'x%3Fq=1%23'].entries()) {
      const path = `/app/${dashboard.sender.id}/${area}/${id}`
      await (index === 0 ? page.goto(path) : visit(page, path))
      await page.getByText('This page does not exist').waitFor()
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
  ...[
    '/api-keys',
    '/webhooks',
    '/requests',
    '/campaigns',
    '/automations',
    '/settings',
    '/audit',
    '/imports/contacts',
  ],
  ...['/app/operator/teams', '/app/operator/sites'],
]

test('the page renders for any URL', async () => {
  const page = await dashboard.open('/smtp', { isOperator: true })
  for (const [turn, place] of PLACES.entries()) {
    const asked = NAMES.map((name, index) => [name, ODD[(index + turn) % ODD.length] ?? ''])
    const path = place.startsWith('/app') ? place : `/app/${dashboard.sender.id}${place}`
    await visit(page, `${path}?${new URLSearchParams(asked)}`)
    expect(await page.getByText('This page could not be shown').count(), place).toBe(0)
  }
})

test('an email with 100,000 open elements does not block the page', async () => {
  const id = await dashboard.sender.send({ html: '<div>'.repeat(100_000) })
  const page = await dashboard.open(`/emails/${id}`)
  await page.frameLocator('iframe').getByText('too deep').waitFor()
})

test('a name of one long word wraps on a phone', async () => {
  const { json } = await dashboard.sender.post('/templates', { name: 'W'.repeat(120), subject: 'x' })
  const page = await dashboard.open(`/templates/${json.id}/versions`, { width: 390 })
  expect(await overflowOf(page)).toBe(0)
})
