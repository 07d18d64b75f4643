import { describe, expect, test } from 'vitest'
import { describeClients } from './support/clients.ts'

const BUSY = {
  status: 503,
  headers: { 'retry-after': '0' },
  body: JSON.stringify({ name: 'service_unavailable', message: 'Busy.', statusCode: 503 }),
}

describeClients((setup) => {
  const sentSince = (first: number) => setup.proxy.passed.slice(first)
  const keysSince = (first: number) => sentSince(first).map(({ headers }) => headers['idempotency-key'])

  /** A send with the options of a client and those of the call. */
  const send = (domain: string, of: { python: [string, string]; php: [string, string] }) => ({
    python: `
email = {"from": "a@${domain}", "to": "b@receiver.test", "subject": "Once", "text": "Once."}
result = sendwright.with_options(${of.python[0]}).emails.send(email, ${of.python[1]})`,
    php: `
$email = ['from' => 'a@${domain}', 'to' => 'b@receiver.test', 'subject' => 'Once', 'text' => 'Once.'];
$result = $sendwright->withOptions(${of.php[0]})->emails->send($email, ${of.php[1]});`,
  })

  describe('an idempotency key', () => {
    test.each(['', ' '])('that is blank (%j) is none: retries have the same key', async (blank) => {
      const { run, sender } = await setup.givenInterpreter()
      const first = setup.proxy.passed.length
      setup.proxy.next('drop')
      const { id } = await run(
        send(sender.domain, {
          python: [`headers={"Idempotency-Key": "${blank}"}`, `idempotency_key="${blank}"`],
          php: [`headers: ['Idempotency-Key' => '${blank}']`, `idempotencyKey: '${blank}'`],
        }),
      )
      const [key] = keysSince(first)
      expect(key).toMatch(/^[0-9a-f-]{32,36}$/)
      expect(keysSince(first)).toEqual([key, key])
      const { json } = await sender.get('/emails')
      expect(json.data.map((email: { id: string }) => email.id)).toEqual([id])
    })

    test('in the headers of a new client is an error: all sends would have it', async () => {
      const { run } = await setup.givenInterpreter()
      const message = await run({
        python: `
try:
    Sendwright(headers={"IDEMPOTENCY-Key": "once"})
except ValueError as error:
    result = str(error)`,
        php: `
try {
    new Sendwright\\Sendwright(headers: ['IDEMPOTENCY-Key' => 'once']);
} catch (InvalidArgumentException $error) {
    $result = $error->getMessage();
}`,
      })
      expect(message).toContain('would be the key of all its sends')
    })

    test('in the headers of other options is the key of a call that has none, also as a number', async () => {
      const { run, sender } = await setup.givenInterpreter()
      const first = setup.proxy.passed.length
      const shared = {
        python: 'headers={"Idempotency-Key": 17}',
        php: `headers: ['Idempotency-Key' => 17]`,
      }
      setup.proxy.next('drop')
      await run(send(sender.domain, { python: [shared.python, ''], php: [shared.php, ''] }))
      const ofCall = { python: 'idempotency_key="of the call"', php: `idempotencyKey: 'of the call'` }
      await run(
        send(sender.domain, { python: [shared.python, ofCall.python], php: [shared.php, ofCall.php] }),
      )
      expect(keysSince(first)).toEqual(['17', '17', 'of the call'])
    })

    test('is in the error of a response that is not JSON', async () => {
      const { fail, sender } = await setup.givenInterpreter()
      setup.proxy.next({ status: 200, body: '<html>' })
      const once = { python: 'idempotency_key="once"', php: `idempotencyKey: 'once'` }
      const error = await fail(send(sender.domain, { python: ['', once.python], php: ['', once.php] }))
      expect(error).toMatchObject({ name: 'invalid_response', idempotency_key: 'once' })
    })

    test('that no header can have is an error of the client, or of the API', async () => {
      const { fail, sender } = await setup.givenInterpreter()
      const key = { python: 'idempotency_key="заказ-1"', php: `idempotencyKey: 'заказ-1'` }
      const error = await fail(send(sender.domain, { python: ['', key.python], php: ['', key.php] }))
      expect(error.name).toMatch(/^invalid_(request|idempotency_key)$/)
    })
  })

  test('headers of the client replace those of the package in any case, and are sent once', async () => {
    const { fail } = await setup.givenInterpreter()
    const first = setup.proxy.passed.length
    const error = await fail({
      python: `
own = {"AUTHORIZATION": "Bearer another", "User-Agent": "shop/1", "Content-Type": "text/plain"}
sendwright.with_options(headers=own).lists.create({"name": "One"})`,
      php: `
$own = ['AUTHORIZATION' => 'Bearer another', 'User-Agent' => 'shop/1', 'Content-Type' => 'text/plain'];
$sendwright->withOptions(headers: $own)->lists->create(['name' => 'One']);`,
    })
    expect(error).toMatchObject({ status_code: 401 })
    expect(sentSince(first).map(({ headers }) => headers)).toMatchObject([
      { authorization: 'Bearer another', 'user-agent': 'shop/1', 'content-type': 'application/json' },
    ])
  })

  describe('an upload is sent whole again', () => {
    test.each([
      {
        source: 'a file, from where it began',
        python: `
import io
file = io.BytesIO(b"skipped\\nemail\\nann@receiver.test\\n")
file.seek(8)`,
        php: `
$file = tmpfile();
fwrite($file, "email\\nann@receiver.test\\n");`,
      },
      {
        source: 'a pipe',
        python: `
import os
end, start = os.pipe()
os.write(start, b"email\\nann@receiver.test\\n")
os.close(start)
file = os.fdopen(end, "rb")`,
        php: `$file = popen("printf 'email\\\\nann@receiver.test\\\\n'", 'r');`,
      },
    ])('$source', async ({ python, php }) => {
      const { run } = await setup.givenInterpreter()
      const first = setup.proxy.passed.length
      setup.proxy.next(BUSY)
      await run({
        python: `${python}\nsendwright.contacts.import_(file)`,
        php: `${php}\n$sendwright->contacts->import($file);`,
      })
      const csv = 'email\nann@receiver.test\n'
      expect(sentSince(first).map(({ body }) => body)).toEqual([csv, csv])
    })
  })
})
