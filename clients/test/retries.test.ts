import { describe, expect, test } from 'vitest'
import { describeClients } from './support/clients.ts'

const SOON = { 'retry-after': '0' }
const BUSY = JSON.stringify({ name: 'service_unavailable', message: 'Busy.', statusCode: 503 })
const LIMITED = JSON.stringify({ name: 'rate_limit_exceeded', message: 'Wait.', statusCode: 429 })
const FAILED = JSON.stringify({ name: 'internal_server_error', message: 'Unknown.', statusCode: 500 })

const sendOne = (domain: string) => ({
  python: `
email = {"from": "a@${domain}", "to": "b@receiver.test", "subject": "Once", "text": "Once."}
result = sendwright.emails.send(email)`,
  php: `
$email = ['from' => 'a@${domain}', 'to' => 'b@receiver.test', 'subject' => 'Once', 'text' => 'Once.'];
$result = $sendwright->emails->send($email);`,
})
const createList = {
  python: 'result = sendwright.lists.create({"name": "Once"})',
  php: `$result = $sendwright->lists->create(['name' => 'Once']);`,
}
const readUsage = (python: string, php: string) => ({
  python: `result = sendwright.with_options(${python}).account.usage()`,
  php: `$result = $sendwright->withOptions(${php})->account->usage();`,
})

describeClients((setup) => {
  test('a response that was lost after the commit: one email, under one key', async () => {
    const { run, sender } = await setup.givenInterpreter()
    const first = setup.proxy.passed.length
    setup.proxy.next('drop', 'drop')
    const { id } = await run(sendOne(sender.domain))
    const keys = setup.proxy.passed.slice(first).map(({ headers }) => headers['idempotency-key'])
    expect(keys).toEqual([expect.any(String), keys[0], keys[0]])
    const { json } = await sender.get('/emails')
    expect(json.data.map((email: { id: string }) => email.id)).toEqual([id])
  })

  test('each call has a key of its own', async () => {
    const { run, sender } = await setup.givenInterpreter()
    const ids = [await run(sendOne(sender.domain)), await run(sendOne(sender.domain))].map(({ id }) => id)
    expect(new Set(ids).size).toBe(2)
  })

  test('a POST that cannot be repeated is not', async () => {
    const { fail, sender } = await setup.givenInterpreter()
    setup.proxy.next('drop')
    expect(await fail(createList)).toMatchObject({ name: 'network_error', status_code: null })
    expect((await sender.get('/lists')).json.data).toHaveLength(1)
  })

  test('a POST is not repeated after 500, because the server may have stored it', async () => {
    const { fail } = await setup.givenInterpreter()
    const first = setup.proxy.passed.length
    setup.proxy.next({ status: 500, body: FAILED })
    expect(await fail(createList)).toMatchObject({ name: 'internal_server_error', status_code: 500 })
    expect(setup.proxy.passed.length).toBe(first + 1)
  })

  test('a POST with the same effect twice and a GET are repeated, after a lost response and a 502', async () => {
    const { run } = await setup.givenInterpreter()
    setup.proxy.next('drop', { status: 502 })
    const entry = await run({
      python: 'result = sendwright.suppressions.add({"email": "a@receiver.test"})',
      php: `$result = $sendwright->suppressions->add(['email' => 'a@receiver.test']);`,
    })
    setup.proxy.next('drop')
    const read = await run({
      python: `result = sendwright.suppressions.get("${entry.id}")`,
      php: `$result = $sendwright->suppressions->get('${entry.id}');`,
    })
    expect(read).toEqual(entry)
  })

  test('a DELETE is not repeated, unless the server certainly did nothing', async () => {
    const { run, fail, sender } = await setup.givenInterpreter()
    const list = await run(createList)
    const deleteList = {
      python: `sendwright.lists.delete("${list.id}")`,
      php: `$sendwright->lists->delete('${list.id}');`,
    }
    const first = setup.proxy.passed.length
    setup.proxy.next({ status: 503, headers: SOON, body: BUSY }, { status: 500, body: FAILED }, 'drop')
    expect(await fail(deleteList)).toMatchObject({ status_code: 500 })
    expect(await fail(deleteList)).toMatchObject({ name: 'network_error', status_code: null })
    expect(setup.proxy.passed.length).toBe(first + 3)
    expect((await sender.get('/lists')).json.data).toEqual([])
  })

  test('a DELETE with the same response twice is repeated', async () => {
    const { run, sender } = await setup.givenInterpreter()
    const list = await run(createList)
    const contact = (await sender.post('/contacts', { email: 'ann@receiver.test', list_ids: [list.id] })).json
    setup.proxy.next('drop')
    const removed = await run({
      python: `result = sendwright.contacts.remove_from_list("${contact.id}", "${list.id}")`,
      php: `$result = $sendwright->contacts->removeFromList('${contact.id}', '${list.id}');`,
    })
    expect(removed).toMatchObject({ contact: contact.id, deleted: true })
  })

  test('503 and 429 are repeated after Retry-After, even for a POST that cannot run twice', async () => {
    const { run } = await setup.givenInterpreter()
    setup.proxy.next(
      { status: 503, headers: SOON, body: BUSY },
      { status: 429, headers: { 'retry-after': '1' }, body: LIMITED },
    )
    const startMs = performance.now()
    await run(createList)
    expect(performance.now() - startMs).toBeGreaterThan(1_000)
  })

  test('429 is returned if the server asks for more patience than the client has', async () => {
    const { fail } = await setup.givenInterpreter()
    const first = setup.proxy.passed.length
    setup.proxy.next({ status: 429, headers: { 'retry-after': '31' }, body: LIMITED })
    expect(await fail(readUsage('retry_after_max=30', 'retryAfterMax: 30'))).toMatchObject({
      name: 'rate_limit_exceeded',
      status_code: 429,
      retry_after_seconds: 31,
    })
    expect(setup.proxy.passed.length).toBe(first + 1)
  })

  test('a call is repeated after the wait of the client itself, however short the longest Retry-After is', async () => {
    const { run } = await setup.givenInterpreter()
    setup.proxy.next('drop', { status: 503, headers: SOON, body: BUSY })
    expect(await run(readUsage('retry_after_max=0', 'retryAfterMax: 0'))).toHaveProperty('object')
  })

  test('a resumption of a site is not repeated: the second would not find the pause', async () => {
    const { fail } = await setup.givenInterpreter()
    const first = setup.proxy.passed.length
    setup.proxy.next('drop')
    const error = await fail({
      python: 'sendwright.operator.resume_site("mx.test")',
      php: `$sendwright->operator->resumeSite('mx.test');`,
    })
    expect(error).toMatchObject({ name: 'network_error' })
    expect(setup.proxy.passed.length).toBe(first + 1)
  })

  test('503 is returned after the last retry', async () => {
    const { fail } = await setup.givenInterpreter()
    const first = setup.proxy.passed.length
    setup.proxy.next(...Array(2).fill({ status: 503, headers: SOON, body: BUSY }))
    expect(await fail(readUsage('retries=1', 'retries: 1'))).toMatchObject({ status_code: 503 })
    expect(setup.proxy.passed.length).toBe(first + 2)
  })

  test('a server that does not respond: the timeout ends each attempt', async () => {
    const { fail } = await setup.givenInterpreter()
    const first = setup.proxy.passed.length
    setup.proxy.next('hang', 'hang')
    const error = await fail(readUsage('timeout=0.1, retries=1', 'timeout: 0.1, retries: 1'))
    expect(error).toMatchObject({ name: 'timeout', status_code: null })
    expect(setup.proxy.passed.length).toBe(first + 2)
  })

  test('a request that waits for events has the time of its wait in addition', async () => {
    const { fail } = await setup.givenInterpreter()
    setup.proxy.next('hang')
    const error = await fail({
      python: 'sendwright.with_options(timeout=0.1, retries=0).events.list(wait=1).page()',
      php: '$sendwright->withOptions(timeout: 0.1, retries: 0)->events->list(wait: 1)->page();',
    })
    expect(error).toMatchObject({
      name: 'timeout',
      message: expect.stringContaining('did not respond within 1.1 seconds'),
    })
  })

  test('a download that stays silent: the timeout ends each attempt', async () => {
    const { fail } = await setup.givenInterpreter()
    const first = setup.proxy.passed.length
    setup.proxy.next('hang', 'hang')
    const error = await fail({
      python: 'sendwright.with_options(timeout=0.1, retries=1).contacts.export().read()',
      php: '$sendwright->withOptions(timeout: 0.1, retries: 1)->contacts->export()->read();',
    })
    expect(error).toMatchObject({ name: 'timeout', status_code: null })
    expect(setup.proxy.passed.length).toBe(first + 2)
  })

  describe('a stream of events', () => {
    test('a stream continues after its cursor when connections break: every event once, in order', async () => {
      const { run, sender } = await setup.givenInterpreter()
      const emails = [await sender.send()]
      await run({
        python: `
seen = []
stream = sendwright.events.stream(types=["email.queued"], from_="start")
events = iter(stream)`,
        php: `
$seen = [];
$stream = $sendwright->events->stream(types: ['email.queued'], from: 'start');
$events = $stream->getIterator();`,
      })
      const readOne = {
        python: 'result = next(events)["data"]["email_id"]',
        php: `if ($seen !== []) $events->next();
$result = $seen[] = $events->current()['data']['email_id'];`,
      }
      for (let count = 0; count < 4; count++) {
        expect(await run(readOne)).toBe(emails[count])
        // The events of the next email come over another connection.
        setup.proxy.cut()
        emails.push(await sender.send())
      }
      const [cursor, next] = await run({
        python: `
later = sendwright.events.stream(types=["email.queued"], after=stream.cursor)
result = [stream.cursor, next(iter(later))["data"]["email_id"]]`,
        php: `
$later = $sendwright->events->stream(types: ['email.queued'], after: $stream->cursor());
$result = [$stream->cursor(), $later->getIterator()->current()['data']['email_id']];`,
      })
      expect(cursor).toEqual(expect.any(String))
      expect(next).toBe(emails[4])
    })

    test('a stream begins with the next event, and survives errors of a proxy', async () => {
      const { run, sender } = await setup.givenInterpreter()
      await sender.send()
      const first = setup.proxy.passed.length
      setup.proxy.next({ status: 502 }, { status: 429, headers: { 'retry-after': '0' } })
      const reading = run({
        python: `
for event in sendwright.events.stream(types=["contact.created"]):
    result = event["data"]["email"]
    break`,
        php: `
foreach ($sendwright->events->stream(types: ['contact.created']) as $event) {
    $result = $event['data']['email'];
    break;
}`,
      })
      await expect.poll(() => setup.proxy.passed[first + 2]?.status).toBe(200)
      await sender.post('/contacts', { email: 'ann@receiver.test' })
      expect(await reading).toBe('ann@receiver.test')
    })

    test('a stream fails if the server rejects the request', async () => {
      const { fail } = await setup.givenInterpreter()
      const error = await fail({
        python: 'next(iter(sendwright.events.stream(after="no-cursor")))',
        php: `$sendwright->events->stream(after: 'no-cursor')->getIterator()->current();`,
      })
      expect(error).toMatchObject({ name: 'validation_error', status_code: 422 })
    })
  })
})
