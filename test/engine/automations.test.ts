import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { chainOf, givenAutomations, onEvent } from '../support/automations.ts'
import { made } from '../support/client.ts'
import { upload } from '../support/csv.ts'
import { type SharedSendwright, shareSendwright } from '../support/shared-sendwright.ts'
import { isFull } from '../support/thorough.ts'
import { startWebhookReceiver } from '../support/webhook-receiver.ts'

let service: SharedSendwright
beforeAll(async () => {
  service = await shareSendwright('webhooks')
})

const given = () => givenAutomations(service)

describe('steps', () => {
  test('an event begins a run, which sends, waits, sends and ends; each step is counted and told', async () => {
    const world = await given()
    const first = await world.givenEmail({ subject: 'Welcome {{{FIRST_NAME|there}}}, plan {{{PLAN}}}' })
    const second = await world.givenEmail({ subject: 'Still here?' })
    const id = await world.activate(
      chainOf(
        onEvent('user.created'),
        ['hello', 'send_email', first],
        ['pause', 'delay', { duration: '1 second' }],
        ['again', 'send_email', second],
      ),
    )
    await world.report('user.created', 0, { plan: 'pro' })
    const [run] = await world.reached(id, 'completed')
    expect(run).toMatchObject({ email: `c0@${world.to}`, outcome: 'completed', version: 1, due_at: null })
    expect(await world.trail(id, run?.id)).toEqual([
      'start completed',
      'hello completed',
      'pause completed',
      'again completed',
    ])
    expect(await world.subjects()).toEqual(['Welcome there, plan pro', 'Still here?'])
    const { steps } = (await world.ann.get(`/automations/${id}/figures`)).json
    expect(steps).toHaveLength(4)
    for (const step of steps) expect(step).toMatchObject({ entered: 1, done: 1, waiting: 0, failed: 0 })
    const delivered = async () =>
      (await world.ann.get(`/automations/${id}/figures`)).json.steps.map(
        (step: { delivered: number }) => step.delivered,
      )
    await expect.poll(delivered).toEqual([0, 1, 0, 1])
    const person = (await world.ann.get(`/contacts/c0@${world.to}/export`)).json
    expect(person.automation_runs).toMatchObject([{ id: run?.id, payload: { plan: 'pro' } }])
  })

  test('a wait for an event goes on with its payload, or times out', async () => {
    const world = await given()
    const email = await world.givenEmail({ subject: 'Paid {{{AMOUNT}}}' })
    const graph = chainOf(
      onEvent('order.created'),
      [
        'paid',
        'wait_for_event',
        { event_name: 'order.paid', timeout: '2 seconds', filter_rule: amountIs(5) },
      ],
      ['receipt', 'send_email', email],
    )
    graph.steps.push({ key: 'late', type: 'exit', config: { reason: 'Never paid' } })
    graph.connections.push({ from: 'paid', to: 'late', type: 'timeout' })
    const id = await world.activate(graph)
    await world.report('order.created', 0)
    await world.report('order.created', 1)
    await world.report('order.paid', 0, { amount: 4 })
    await world.report('order.paid', 0, { amount: 5 })
    const runs = await world.reached(id, 'completed', 2)
    expect(new Set(runs.map(({ reason }) => reason))).toEqual(new Set([null, 'Never paid']))
    expect(await world.subjects(0)).toEqual(['Paid 5'])
    expect(await world.subjects(1)).toEqual([])
  })

  test('conditions and splits take the branch that holds', async () => {
    const world = await given()
    const graph = chainOf(onEvent('signup'), [
      'plan',
      'split',
      { branches: [{ name: 'paying', rule: ruleOf('event.plan', 'eq', 'pro') }] },
    ])
    graph.steps.push(
      { key: 'paying', type: 'exit', config: { reason: 'pays' } },
      { key: 'known', type: 'condition', config: ruleOf('contact.first_name', 'exists') },
      { key: 'greet', type: 'exit', config: { reason: 'known' } },
      { key: 'ask', type: 'exit', config: { reason: 'unknown' } },
    )
    graph.connections.push(
      { from: 'plan', to: 'paying', type: 'branch_1' },
      { from: 'plan', to: 'known', type: 'default' },
      { from: 'known', to: 'greet', type: 'condition_met' },
      { from: 'known', to: 'ask', type: 'condition_not_met' },
    )
    const id = await world.activate(graph)
    await made(world.ann, '/contacts', { email: `c1@${world.to}`, first_name: 'Cleo' })
    await world.report('signup', 0, { plan: 'pro' })
    await world.report('signup', 1)
    await world.report('signup', 2)
    const runs = await world.reached(id, 'completed', 3)
    const reasons = Object.fromEntries(runs.map(({ email, reason }) => [email, reason]))
    expect(reasons).toEqual({
      [`c0@${world.to}`]: 'pays',
      [`c1@${world.to}`]: 'known',
      [`c2@${world.to}`]: 'unknown',
    })
  })

  test('steps change the contact and its lists, and call a webhook once', async () => {
    const world = await given()
    const { ann } = world
    const listId = await made(ann, '/lists', { name: 'VIP' })
    await made(ann, '/properties', { key: 'plan', type: 'string' })
    const webhookId = await made(ann, '/webhooks', {
      endpoint: `http://hooks.${world.to}/`,
      events: ['email.bounced'],
    })
    const id = await world.activate(
      chainOf(
        onEvent('paid'),
        ['name', 'contact_update', { first_name: { var: 'event.name' }, properties: { plan: 'pro' } }],
        ['join', 'add_to_list', { list_id: listId }],
        ['call', 'webhook', { webhook_id: webhookId, data: { order: { var: 'event.order' } } }],
      ),
    )
    await world.report('paid', 0, { name: 'Ann', order: 7 })
    const [run] = await world.reached(id, 'completed')
    const contact = (await ann.get(`/contacts/c0@${world.to}`)).json
    expect({ ...contact }).toMatchObject({ first_name: 'Ann', properties: { PLAN: 'pro' } })
    const members = (await ann.get(`/lists/${listId}/contacts`)).json.data
    expect(members).toHaveLength(1)
    const deliveries = (await ann.get(`/webhooks/${webhookId}/deliveries`)).json.data
    expect(deliveries.filter((one: { type: string }) => one.type === 'automation.webhook')).toHaveLength(1)
    expect(await world.trail(id, run?.id)).toHaveLength(4)
  })

  test('a condition compares the response of a webhook', async () => {
    const world = await given()
    const receiver = await startWebhookReceiver()
    onTestFinished(() => receiver.close())
    receiver.answer('/', (response) => response.end('{"risk": {"level": "high"}}'))
    const webhookId = await made(world.ann, '/webhooks', {
      endpoint: `http://127.0.0.1:${receiver.port}/`,
      events: ['email.bounced'],
    })
    const isHigh = { type: 'rule', field: 'event.score.body.risk.level', operator: 'eq', value: 'high' }
    const id = await world.activate(
      chainOf(
        onEvent('ordered'),
        ['score', 'webhook', { webhook_id: webhookId, response_timeout: '1 hour' }],
        ['high', 'condition', isHigh],
        ['end', 'exit', { reason: 'high' }],
      ),
    )
    await world.report('ordered')
    const [run] = await world.reached(id, 'completed')
    expect(run?.reason).toBe('high')
    expect(receiver.received.map(({ json }) => json.type)).toEqual(['automation.webhook'])
    const { json } = await world.ann.get(`/automations/${id}/runs/${run?.id}`)
    expect(json).toMatchObject({ payload: { score: { status: 200, body: { risk: { level: 'high' } } } } })
  })

  test('a digest collects what happens meanwhile', async () => {
    const world = await given()
    const email = await world.givenEmail({
      subject: '{{{DIGEST_COUNT}}} comments',
      text_content: '{{{DIGEST}}}',
    })
    const id = await world.activate(
      chainOf(
        onEvent('comment'),
        ['collect', 'digest', { duration: '1 minute', item: '{{BY}} wrote' }],
        ['send', 'send_email', email],
      ),
    )
    await world.report('comment', 0, { by: 'Bob' })
    await world.report('comment', 0, { by: 'Cy' })
    const [run] = await world.reached(id, 'running')
    const listed = await world.ann.get('/automations')
    expect(listed.json.data.find((each: { id: string }) => each.id === id).runs).toEqual({
      running: 1,
      failed: 0,
    })
    await expect
      .poll(
        async () =>
          (await service.db.query('select collected from automation_run where id = $1', [run?.id]))[0],
      )
      .toEqual({ collected: { count: 2, events: [{ by: 'Bob' }, { by: 'Cy' }] } })
    await service.db.query('update automation_run set due_at = now() where id = $1', [run?.id])
    await world.reached(id, 'completed')
    expect(await world.subjects()).toEqual(['2 comments'])
  })

  test('a variable without a value fails the run with its reason; a retry takes the step again', async () => {
    const world = await given()
    const email = await world.givenEmail({ subject: 'Hello {{{NICKNAME}}}' })
    const id = await world.activate(chainOf(onEvent('hello'), ['send', 'send_email', email]))
    await world.report('hello')
    const [run] = await world.reached(id, 'failed')
    const listed = await world.ann.get('/automations')
    expect(listed.json.data.find((each: { id: string }) => each.id === id).runs).toEqual({
      running: 0,
      failed: 1,
    })
    expect(run?.reason).toContain('NICKNAME')
    const alerts = (await world.ann.get('/attention')).json.data
    expect(alerts.find(({ kind }: { kind: string }) => kind === 'automation_failing')).toMatchObject({
      subject: { type: 'automation', id },
      message: expect.stringContaining('NICKNAME'),
    })
    await made(world.ann, '/properties', { key: 'nickname', type: 'string', fallback_value: 'you' })
    expect((await world.ann.post(`/automations/${id}/runs/${run?.id}/retry`)).status).toBe(200)
    await world.reached(id, 'completed')
    expect(await world.subjects()).toEqual(['Hello you'])
  })
})

describe('who begins, and who ends', () => {
  test('a contact begins once, or again after it ended, as the settings say', async () => {
    const world = await given()
    const once = await world.activate(chainOf(onEvent('again'), ['end', 'exit', {}]))
    const often = await world.activate(chainOf(onEvent('again'), ['end', 'exit', {}]), {
      settings: { reentry: 'after_exit' },
    })
    await world.report('again')
    await world.reached(often, 'completed', 1)
    await world.report('again')
    await world.reached(often, 'completed', 2)
    expect(await world.runs(once)).toHaveLength(1)
  })

  test('an unsubscribed, suppressed or deleted contact ends its runs', async () => {
    const world = await given()
    const id = await world.activate(chainOf(onEvent('start'), ['wait', 'delay', { duration: '1 day' }]))
    for (const no of [0, 1, 2]) await world.report('start', no)
    await world.reached(id, 'running', 3)
    await world.ann.patch(`/contacts/c0@${world.to}`, { unsubscribed: true })
    await world.ann.post('/suppressions', { email: `c1@${world.to}` })
    await world.ann.delete(`/contacts/c2@${world.to}`)
    const runs = await world.reached(id, 'cancelled', 3)
    expect(runs.map(({ reason }) => reason).sort()).toEqual([
      'The address was suppressed.',
      'The contact has unsubscribed.',
      'The contact was deleted.',
    ])
  })

  test('an exit ends a run that waits, and a goal takes it further', async () => {
    const world = await given()
    const graph = chainOf(
      onEvent('trial'),
      ['wait', 'delay', { duration: '5 days' }],
      ['bought', 'goal', { event_name: 'bought', otherwise: 'exit' }],
      ['thanks', 'exit', { reason: 'bought' }],
    )
    const id = await world.activate(graph, { settings: { exits: [{ event_name: 'left' }] } })
    for (const no of [0, 1]) await world.report('trial', no)
    await world.reached(id, 'running', 2)
    await world.report('left', 0)
    await world.report('bought', 1)
    const runs = await world.reached(id, 'completed', 2)
    expect(new Set(runs.map(({ reason }) => reason))).toEqual(
      new Set(['A condition of the automation ended it.', 'bought']),
    )
  })

  test('automations that begin one another stop after five', async () => {
    const world = await given()
    const listA = await made(world.ann, '/lists', { name: 'A' })
    const listB = await made(world.ann, '/lists', { name: 'B' })
    const swap = (joined: string, left: string) =>
      chainOf(
        ['start', 'trigger', { type: 'list_joined', list_id: joined }],
        ['leave', 'remove_from_list', { list_id: joined }],
        ['join', 'add_to_list', { list_id: left }],
      )
    const settings = { reentry: 'every_time' }
    const a = await world.activate(swap(listA, listB), { settings })
    const b = await world.activate(swap(listB, listA), { settings })
    await made(world.ann, '/contacts', { email: `c0@${world.to}`, list_ids: [listA] })
    await expect
      .poll(
        async () =>
          [...(await world.runs(a)), ...(await world.runs(b))].filter((run) => run.status === 'failed')
            .length,
      )
      .toBe(1)
    const all = [...(await world.runs(a)), ...(await world.runs(b))]
    expect(all).toHaveLength(7)
    expect(all.find((run) => run.status === 'failed')?.reason).toContain('5 times')
  })

  test('entering a segment begins a run; those who were in it before do not', async () => {
    const world = await given()
    await made(world.ann, '/contacts', { email: `c0@${world.to}`, first_name: 'Vip' })
    await made(world.ann, '/contacts', { email: `c1@${world.to}` })
    const condition = { field: 'first_name', operator: 'equals', value: 'Vip' }
    const segmentId = await made(world.ann, '/segments', {
      name: 'V',
      filters: { groups: [{ conditions: [condition] }] },
    })
    const id = await world.activate(
      chainOf(['start', 'trigger', { type: 'segment_entered', segment_id: segmentId }], ['end', 'exit', {}]),
    )
    await world.ann.patch(`/contacts/c0@${world.to}`, { last_name: 'Old' })
    await world.ann.patch(`/contacts/c1@${world.to}`, { first_name: 'Vip' })
    const [run] = await world.reached(id, 'completed')
    expect(run?.email).toBe(`c1@${world.to}`)
  })

  test('an import begins runs only if it says so', async () => {
    const world = await given()
    const id = await world.activate(
      chainOf(['start', 'trigger', { type: 'contact_created' }], ['end', 'exit', {}]),
    )
    const load = async (name: string, count: number, query = '') => {
      const rows = Array.from({ length: count }, (_, no) => `${name}${no}@${world.to}`)
      const file = ['email', ...rows].join('\n')
      const { json } = await upload(service.url, world.ann, `/contacts/import${query}`, file)
      const status = async () => (await world.ann.get(`/contacts/imports/${json.id}`)).json.status
      await expect.poll(status).toBe('completed')
    }
    await load('quiet', isFull ? 5_000 : 50)
    await load('loud', 3, '?run_automations=true')
    const runs = await world.reached(id, 'completed', 3)
    expect(runs.every(({ email }) => String(email).startsWith('loud'))).toBe(true)
  })

  test('a repeated Idempotency-Key reports one event', async () => {
    const world = await given()
    const id = await world.activate(chainOf(onEvent('once'), ['end', 'exit', {}]), {
      settings: { reentry: 'after_exit' },
    })
    const body = { event: 'once', email: `c0@${world.to}` }
    const headers = { 'idempotency-key': 'key-1' }
    for (let time = 0; time < 3; time++) {
      expect((await world.ann.post('/events/send', body, headers)).status).toBe(202)
    }
    expect((await world.ann.post('/events/send', { ...body, payload: { x: 1 } }, headers)).status).toBe(409)
    await world.report('once', 1)
    await world.reached(id, 'completed', 2)
  })

  test('an event is defined, read by its name and its id, and is not named like a path', async () => {
    const { ann } = await given()
    const { id } = (await ann.post('/events', { name: 'cart.left' })).json
    for (const key of ['cart.left', id, id.toUpperCase()]) {
      expect((await ann.get(`/events/${key}`)).json).toMatchObject({ id, name: 'cart.left' })
    }
    const { status, json } = await ann.post('/events', { name: 'send' })
    expect([status, json.message]).toEqual([422, 'The name field must not be send.'])
  })
})

const ruleOf = (field: string, operator: string, value?: unknown) => ({
  type: 'rule',
  field,
  operator,
  ...(value !== undefined && { value }),
})
const amountIs = (amount: number) => ruleOf('event.amount', 'eq', amount)
