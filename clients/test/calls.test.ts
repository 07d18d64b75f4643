import { describe, expect, test } from 'vitest'
import { startWebhookReceiver } from '../../test/support/webhook-receiver.ts'
import { describeClients } from './support/clients.ts'

describeClients((setup) => {
  test('an email with a file, its status, its message and its attachment', async () => {
    const { run, sender } = await setup.givenInterpreter()
    const { id } = await run({
      python: `result = sendwright.emails.send({
        "from": "Ann <ann@${sender.domain}>", "to": ["bob@receiver.test"], "subject": "Grüße", "text": "It works.",
        "attachments": [{"filename": "a.bin", "content": bytes([0, 255, 1])}],
        "tags": [{"name": "kind", "value": "test"}],
      })`,
      php: `$result = $sendwright->emails->send([
        'from' => 'Ann <ann@${sender.domain}>', 'to' => ['bob@receiver.test'], 'subject' => 'Grüße',
        'text' => 'It works.', 'tags' => [['name' => 'kind', 'value' => 'test']],
        'attachments' => [Sendwright\\Attachment::fromBytes('a.bin', "\\x00\\xff\\x01")],
      ]);`,
    })
    await sender.settled(id)
    const email = await run({
      python: `result = sendwright.emails.get("${id}")`,
      php: `$result = $sendwright->emails->get('${id}');`,
    })
    expect(email).toMatchObject({ id, status: 'delivered', subject: 'Grüße', to: ['bob@receiver.test'] })
    const [file, raw] = await run({
      python: `result = [sendwright.emails.attachment("${id}", 0).hex(), sendwright.emails.raw("${id}").decode()]`,
      php: `$result = [bin2hex($sendwright->emails->attachment('${id}', 0)), $sendwright->emails->raw('${id}')];`,
    })
    expect(file).toBe('00ff01')
    expect(raw).toContain('To: bob@receiver.test')
  })

  test('an email scheduled at a time of the language, rescheduled and canceled', async () => {
    const { run, fail, sender } = await setup.givenInterpreter()
    const { id } = await run({
      python: `
from datetime import datetime, timedelta, timezone
later = datetime.now(timezone.utc) + timedelta(hours=1)
email = {"from": "a@${sender.domain}", "to": "b@receiver.test", "subject": "Later", "text": "Later."}
result = sendwright.emails.send({**email, "scheduled_at": later})
sendwright.emails.reschedule(result["id"], {"scheduled_at": later + timedelta(hours=1)})`,
      php: `
$email = ['from' => 'a@${sender.domain}', 'to' => 'b@receiver.test', 'subject' => 'Later', 'text' => 'Later.'];
$result = $sendwright->emails->send($email + ['scheduled_at' => new DateTimeImmutable('+1 hour')]);
$sendwright->emails->reschedule($result['id'], ['scheduled_at' => new DateTimeImmutable('+2 hours')]);`,
    })
    const cancel = {
      python: `result = sendwright.emails.cancel("${id}")`,
      php: `$result = $sendwright->emails->cancel('${id}');`,
    }
    expect(await run(cancel)).toMatchObject({ id })
    expect(await fail(cancel)).toMatchObject({ name: 'conflict', status_code: 409 })
  })

  test('emails in a batch, with the errors of the invalid ones', async () => {
    const { run, sender } = await setup.givenInterpreter()
    const emails = [
      { from: `a@${sender.domain}`, to: 'b@receiver.test', subject: 'One', text: 'One.' },
      { from: `a@${sender.domain}`, to: 'nobody', subject: 'Two', text: 'Two.' },
    ]
    const result = await run({
      python: `
import json
result = sendwright.emails.send_batch(json.loads(r'''${JSON.stringify(emails)}'''), validation="permissive")`,
      php: `
$emails = json_decode('${JSON.stringify(emails)}', true);
$result = $sendwright->emails->sendBatch($emails, validation: 'permissive');`,
    })
    expect(result).toMatchObject({ data: [{ id: expect.any(String) }], errors: [{ index: 1 }] })
  })

  test('an import from an open file and an export as a stream', async () => {
    const { run } = await setup.givenInterpreter()
    const csv = 'email,first_name\\nann@receiver.test,Ann\\nbob@receiver.test,Bob\\n'
    const { id } = await run({
      python: `
import io
result = sendwright.contacts.import_(io.BytesIO(b"${csv}"), delimiter="comma")`,
      php: `
$file = tmpfile();
fwrite($file, "${csv}");
$result = $sendwright->contacts->import($file, delimiter: 'comma');`,
    })
    await expect
      .poll(() =>
        run({
          python: `result = sendwright.contacts.get_import("${id}")["status"]`,
          php: `$result = $sendwright->contacts->getImport('${id}')['status'];`,
        }),
      )
      .toBe('completed')
    const text = await run({
      python: `result = b"".join(sendwright.contacts.export(q="ann")).decode()`,
      php: `$result = implode('', iterator_to_array($sendwright->contacts->export(q: 'ann'), false));`,
    })
    expect(text).toContain('ann@receiver.test')
    expect(text).not.toContain('bob@receiver.test')
  })

  test('422 with the messages of each field, 401 for an unknown key, 404 for an unknown id', async () => {
    const { fail, sender } = await setup.givenInterpreter()
    const invalid = await fail({
      python: `
email = {"from": "a@${sender.domain}", "to": "nobody", "subject": "Any", "text": "Any"}
sendwright.emails.send(email, idempotency_key="once")`,
      php: `
$email = ['from' => 'a@${sender.domain}', 'to' => 'nobody', 'subject' => 'Any', 'text' => 'Any'];
$sendwright->emails->send($email, idempotencyKey: 'once');`,
    })
    expect(invalid).toMatchObject({
      name: 'validation_error',
      message: 'The to field must be a valid email address.',
      status_code: 422,
      errors: { to: [expect.any(String)] },
      request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      idempotency_key: 'once',
    })
    const stranger = await fail({
      python: `Sendwright("sw_none", "${setup.proxy.url}").domains.list().page()`,
      php: `(new Sendwright\\Sendwright('sw_none', '${setup.proxy.url}'))->domains->list()->page();`,
    })
    expect(stranger).toMatchObject({ name: 'invalid_api_key', status_code: 401 })
    const unknown = await fail({
      python: 'sendwright.lists.get("a/b?c")',
      php: `$sendwright->lists->get('a/b?c');`,
    })
    expect(unknown).toMatchObject({ name: 'not_found', status_code: 404 })
  })

  test('nothing is requested for a header with a line break or a NUL character', async () => {
    const { fail } = await setup.givenInterpreter()
    const before = setup.proxy.passed.length
    for (const mark of ['\\r', '\\n', '\\r\\n ', '\\x00']) {
      const value = `"one${mark}x-forged: two"`
      const calls = [
        {
          python: `sendwright.emails.send({}, idempotency_key=${value})`,
          php: `$sendwright->emails->send([], idempotencyKey: ${value});`,
        },
        {
          python: `next(iter(sendwright.events.stream(after=${value})))`,
          php: `$sendwright->events->stream(after: ${value})->getIterator()->current();`,
        },
        {
          python: `sendwright.with_options(headers={"x-own": ${value}}).account.usage()`,
          php: `$sendwright->withOptions(headers: ['x-own' => ${value}])->account->usage();`,
        },
      ]
      for (const call of calls) {
        expect(await fail(call)).toMatchObject({
          name: 'invalid_request',
          message: expect.stringContaining('has a line break or a NUL character'),
          status_code: null,
        })
      }
    }
    expect(setup.proxy.passed.length).toBe(before)
  })

  test('nothing is requested for an id that cannot be one, or without a key', async () => {
    const { fail } = await setup.givenInterpreter()
    const before = setup.proxy.passed.length
    for (const id of ['', '.', '..']) {
      const error = await fail({
        python: `sendwright.emails.get("${id}")`,
        php: `$sendwright->emails->get('${id}');`,
      })
      expect(error).toMatchObject({ name: 'invalid_request', status_code: null })
    }
    const error = await fail({
      python: 'import os; del os.environ["SENDWRIGHT_API_KEY"]; Sendwright()',
      php: `putenv('SENDWRIGHT_API_KEY'); new Sendwright\\Sendwright();`,
    })
    expect(error.message).toContain('SENDWRIGHT_API_KEY')
    expect(setup.proxy.passed.length).toBe(before)
  })

  test('a response of another server is an error, not data', async () => {
    const { fail } = await setup.givenInterpreter()
    const usage = {
      python: 'sendwright.with_options(retries=0).account.usage()',
      php: '$sendwright->withOptions(retries: 0)->account->usage();',
    }
    setup.proxy.next({ status: 200, body: '<html>' }, { status: 302, headers: { location: '/x' } })
    expect(await fail(usage)).toMatchObject({ name: 'invalid_response', status_code: null })
    expect(await fail(usage)).toMatchObject({ name: 'invalid_response', status_code: 302 })
  })

  describe('lists', () => {
    test('a loop reads every record once, while others are added', async () => {
      const { run, sender } = await setup.givenInterpreter()
      for (let count = 0; count < 5; count++) await sender.post('/lists', { name: `Before ${count}` })
      const names = await run({
        python: `
result = []
for each in sendwright.lists.list(limit=2):
    result.append(each["name"])
    sendwright.lists.create({"name": f"During {len(result)}"})`,
        php: `
$result = [];
foreach ($sendwright->lists->list(limit: 2) as $each) {
    $result[] = $each['name'];
    $sendwright->lists->create(['name' => 'During ' . count($result)]);
}`,
      })
      expect(names).toEqual([4, 3, 2, 1, 0].map((count) => `Before ${count}`))
    })

    test('one page, and all pages', async () => {
      const { run, sender } = await setup.givenInterpreter()
      for (let count = 0; count < 3; count++) await sender.post('/lists', { name: `List ${count}` })
      const [page, sizes] = await run({
        python: `
lists = sendwright.lists.list(limit=2)
result = [lists.page(), [len(page["data"]) for page in lists.pages()]]`,
        php: `
$lists = $sendwright->lists->list(limit: 2);
$sizes = [];
foreach ($lists->pages() as $page) $sizes[] = count($page['data']);
$result = [$lists->page(), $sizes];`,
      })
      expect(page).toMatchObject({ object: 'list', has_more: true })
      expect(sizes).toEqual([2, 1])
    })

    test('records without an id are continued after their name, which others do not have', async () => {
      const { run } = await setup.givenInterpreter()
      const first = setup.proxy.passed.length
      const pages = ['one', 'two'].map((source, index) => {
        const data = [{ object: 'site', name: `mx.a from ${source}`, site: 'mx.a', source }]
        return { status: 200, body: JSON.stringify({ object: 'list', has_more: index === 0, data }) }
      })
      setup.proxy.next(...pages)
      const names = await run({
        python: 'result = [site["name"] for site in sendwright.operator.sites(limit=1)]',
        php: `
$sites = $sendwright->operator->sites(limit: 1);
$result = array_map(fn ($site) => $site['name'], iterator_to_array($sites, false));`,
      })
      expect(names).toEqual(['mx.a from one', 'mx.a from two'])
      const queries = setup.proxy.passed
        .slice(first)
        .map(({ path }) => new URL(path, 'http://a.test').searchParams)
      expect(queries.map((query) => query.get('after'))).toEqual([null, 'mx.a from one'])
    })

    test('a loop keeps its filters on every page, also that of the sender', async () => {
      const { run, sender } = await setup.givenInterpreter()
      const send = (name: string) => sender.send({ from: `${name}@${sender.domain}` })
      const ids = [await send('ann'), await send('bob'), await send('ann')]
      const seen = await run({
        python: `
emails = sendwright.emails.list(from_="ann@${sender.domain}", limit=1)
result = [email["id"] for email in emails]`,
        php: `
$emails = $sendwright->emails->list(from: 'ann@${sender.domain}', limit: 1);
$result = array_map(fn ($email) => $email['id'], iterator_to_array($emails, false));`,
      })
      expect(seen).toEqual([ids[2], ids[0]])
    })

    test('a loop over the feed ends with the newest event', async () => {
      const { run, sender } = await setup.givenInterpreter()
      const ids = [await sender.send(), await sender.send(), await sender.send()]
      const seen = await run({
        python: `
events = sendwright.events.list(types="email.queued", from_="start", limit=1)
result = [event["data"]["email_id"] for event in events]`,
        php: `
$events = $sendwright->events->list(types: 'email.queued', from: 'start', limit: 1);
$result = array_map(fn ($event) => $event['data']['email_id'], iterator_to_array($events, false));`,
      })
      expect(seen).toEqual(ids)
    })
  })

  describe('webhooks', () => {
    test('the event of a real request; not that of a forged, old or foreign one', async ({
      onTestFinished,
    }) => {
      const receiver = await startWebhookReceiver()
      onTestFinished(() => receiver.close())
      const { run, fail, sender } = await setup.givenInterpreter()
      const { json: webhook } = await sender.post('/webhooks', { endpoint: `${receiver.url}/hook` })
      const id = await sender.send({ to: 'bounced@simulator.test' })
      await expect.poll(() => receiver.received.some(({ text }) => text.includes('email.bounced'))).toBe(true)
      const { text: payload, headers } = receiver.received.find(({ text }) =>
        text.includes('email.bounced'),
      ) as {
        text: string
        headers: Record<string, string>
      }
      const verify = (change: object = {}) => {
        const given = { payload, headers, secret: webhook.signing_secret, tolerance: 300, ...change }
        return {
          python: `
import json
given = json.loads(${JSON.stringify(JSON.stringify(given))})
result = sendwright.webhooks.verify(
    given["payload"].encode(), given["headers"], given["secret"], tolerance_seconds=given["tolerance"])`,
          php: `
$given = json_decode(base64_decode('${Buffer.from(JSON.stringify(given)).toString('base64')}'), true);
$result = $sendwright->webhooks->verify(
    $given['payload'], $given['headers'], $given['secret'], (float) $given['tolerance']);`,
        }
      }
      expect(await run(verify())).toMatchObject({ type: 'email.bounced', data: { email_id: id } })
      const capitals = Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value])
      expect(await run(verify({ headers: Object.fromEntries(capitals) }))).toMatchObject({
        type: 'email.bounced',
      })

      const forged = [
        { payload: `${payload} ` },
        { headers: { ...headers, 'webhook-id': 'another' } },
        { headers: { ...headers, 'webhook-timestamp': 'NaN' } },
        { headers: { host: 'a.test' } },
        { headers: { ...headers, 'webhook-signature': 'v1,AAAA v2,x v1' } },
        { secret: `whsec_${btoa('another secret of some length')}` },
        { secret: 'not base64!' },
        { tolerance: -1 },
      ]
      for (const change of forged) {
        expect(await fail(verify(change)), JSON.stringify(change)).toMatchObject({
          name: 'invalid_signature',
        })
      }
    })
  })

  describe('an inbox for tests', () => {
    const openInbox = {
      python: 'from sendwright.testing import open_inbox; inbox = open_inbox(sendwright)',
      php: '$inbox = Sendwright\\Testing\\Inbox::open($sendwright);',
    }

    test('waits for each matching message once, and for none from before the inbox was opened', async () => {
      const { run, sender } = await setup.givenInterpreter()
      const send = (fields: object) => sender.send({ to: 'Ann@receiver.test', ...fields })
      await sender.settled(await send({ subject: 'Before' }))
      await run(openInbox)
      await send({ subject: 'First' })
      const first = await run({
        python: 'result = inbox.wait_for(to="ann@receiver.test")',
        php: `$result = $inbox->waitFor(to: 'ann@receiver.test');`,
      })
      expect(first).toMatchObject({ subject: 'First', text: expect.stringContaining('It works.') })
      await send({ subject: 'Other' })
      await send({ subject: 'Code 123456' })
      const second = await run({
        python: `import re; result = inbox.wait_for(subject=re.compile(r"^Code \\d+$"), from_="ann@${sender.domain}")`,
        php: `$result = $inbox->waitFor(subject: '/^Code \\d+$/', from: 'ann@${sender.domain}');`,
      })
      expect(second.subject).toBe('Code 123456')
    })

    test('a timeout names the messages that arrived', async () => {
      const { run, fail, sender } = await setup.givenInterpreter()
      await run(openInbox)
      await sender.settled(await sender.send({ to: 'ann@receiver.test', subject: 'Hello' }))
      const error = await fail({
        python: 'inbox.wait_for(to="bob@receiver.test", timeout=0.2)',
        php: `$inbox->waitFor(to: 'bob@receiver.test', timeout: 0.2);`,
      })
      expect(error).toMatchObject({
        name: 'timeout',
        message: expect.stringContaining('ann@receiver.test "Hello"'),
      })
    })
  })
})
