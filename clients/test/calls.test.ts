import { expect, test } from 'vitest'
import { describeClients } from './support/clients.ts'

describeClients((setup) => {
  test('an email with a file, its status, its message and its attachment', async (context) => {
    const { run, sender } = await setup.givenInterpreter(context)
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

  test('an email scheduled at a time of the language, rescheduled and canceled', async (context) => {
    const { run, fail, sender } = await setup.givenInterpreter(context)
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

  test('emails in a batch, with the errors of the invalid ones', async (context) => {
    const { run, sender } = await setup.givenInterpreter(context)
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

  test('an import from an open file and an export as a stream', async (context) => {
    const { run } = await setup.givenInterpreter(context)
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

  test('422 with the messages of each field, 401 for an unknown key, 404 for an unknown id', async (context) => {
    const { fail, sender } = await setup.givenInterpreter(context)
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

  test('nothing is requested for an id that cannot be one, or without a key', async (context) => {
    const { fail } = await setup.givenInterpreter(context)
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

  test('a response of another server is an error, not data', async (context) => {
    const { fail } = await setup.givenInterpreter(context)
    const usage = {
      python: 'sendwright.with_options(retries=0).account.usage()',
      php: '$sendwright->withOptions(retries: 0)->account->usage();',
    }
    setup.proxy.next({ status: 200, body: '<html>' }, { status: 302, headers: { location: '/x' } })
    expect(await fail(usage)).toMatchObject({ name: 'invalid_response', status_code: null })
    expect(await fail(usage)).toMatchObject({ name: 'invalid_response', status_code: 302 })
  })
})
