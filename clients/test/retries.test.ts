import { expect, test } from 'vitest'
import { describeClients } from './support/clients.ts'

const SOON = { 'retry-after': '0' }
const BUSY = JSON.stringify({ name: 'service_unavailable', message: 'Busy.', statusCode: 503 })
const LIMITED = JSON.stringify({ name: 'rate_limit_exceeded', message: 'Wait.', statusCode: 429 })

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
  test('a response that was lost after the commit: one email, under one key', async (context) => {
    const { run, sender } = await setup.givenInterpreter(context)
    const first = setup.proxy.passed.length
    setup.proxy.next('drop', 'drop')
    const { id } = await run(sendOne(sender.domain))
    const keys = setup.proxy.passed.slice(first).map(({ headers }) => headers['idempotency-key'])
    expect(keys).toEqual([expect.any(String), keys[0], keys[0]])
    const { json } = await sender.get('/emails')
    expect(json.data.map((email: { id: string }) => email.id)).toEqual([id])
  })

  test('each call has a key of its own', async (context) => {
    const { run, sender } = await setup.givenInterpreter(context)
    const ids = [await run(sendOne(sender.domain)), await run(sendOne(sender.domain))].map(({ id }) => id)
    expect(new Set(ids).size).toBe(2)
  })

  test('a POST that cannot be repeated is not', async (context) => {
    const { fail, sender } = await setup.givenInterpreter(context)
    setup.proxy.next('drop')
    expect(await fail(createList)).toMatchObject({ name: 'network_error', status_code: null })
    expect((await sender.get('/lists')).json.data).toHaveLength(1)
  })

  test('a POST with the same effect twice and a GET are repeated, after a lost response and a 502', async (context) => {
    const { run } = await setup.givenInterpreter(context)
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

  test('503 and 429 are repeated after Retry-After, even for a POST that cannot run twice', async (context) => {
    const { run } = await setup.givenInterpreter(context)
    setup.proxy.next(
      { status: 503, headers: SOON, body: BUSY },
      { status: 429, headers: { 'retry-after': '1' }, body: LIMITED },
    )
    const startMs = performance.now()
    await run(createList)
    expect(performance.now() - startMs).toBeGreaterThan(1_000)
  })

  test('429 is returned if the server asks for more patience than the client has', async (context) => {
    const { fail } = await setup.givenInterpreter(context)
    const first = setup.proxy.passed.length
    setup.proxy.next({ status: 429, headers: { 'retry-after': '31' }, body: LIMITED })
    expect(await fail(readUsage('retry_after_max=30', 'retryAfterMax: 30'))).toMatchObject({
      name: 'rate_limit_exceeded',
      status_code: 429,
      retry_after_seconds: 31,
    })
    expect(setup.proxy.passed.length).toBe(first + 1)
  })

  test('503 is returned after the last retry', async (context) => {
    const { fail } = await setup.givenInterpreter(context)
    const first = setup.proxy.passed.length
    setup.proxy.next(...Array(2).fill({ status: 503, headers: SOON, body: BUSY }))
    expect(await fail(readUsage('retries=1', 'retries: 1'))).toMatchObject({ status_code: 503 })
    expect(setup.proxy.passed.length).toBe(first + 2)
  })

  test('a server that does not respond: the timeout ends each attempt', async (context) => {
    const { fail } = await setup.givenInterpreter(context)
    const first = setup.proxy.passed.length
    setup.proxy.next('hang', 'hang')
    const error = await fail(readUsage('timeout=0.1, retries=1', 'timeout: 0.1, retries: 1'))
    expect(error).toMatchObject({ name: 'timeout', status_code: null })
    expect(setup.proxy.passed.length).toBe(first + 2)
  })

  test('a download that stays silent: the timeout ends each attempt', async (context) => {
    const { fail } = await setup.givenInterpreter(context)
    const first = setup.proxy.passed.length
    setup.proxy.next('hang', 'hang')
    const error = await fail({
      python: 'sendwright.with_options(timeout=0.1, retries=1).contacts.export().read()',
      php: '$sendwright->withOptions(timeout: 0.1, retries: 1)->contacts->export()->read();',
    })
    expect(error).toMatchObject({ name: 'timeout', status_code: null })
    expect(setup.proxy.passed.length).toBe(first + 2)
  })
})
