import { expect, test } from 'vitest'
import { describeClients } from './support/clients.ts'

describeClients((setup) => {
  test('a stream continues after its cursor when connections break: every event once, in order', async (context) => {
    const { run, sender } = await setup.givenInterpreter(context)
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

  test('a stream begins with the next event, and survives errors of a proxy', async (context) => {
    const { run, sender } = await setup.givenInterpreter(context)
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

  test('a stream fails if the server rejects the request', async (context) => {
    const { fail } = await setup.givenInterpreter(context)
    const error = await fail({
      python: 'next(iter(sendwright.events.stream(after="no-cursor")))',
      php: `$sendwright->events->stream(after: 'no-cursor')->getIterator()->current();`,
    })
    expect(error).toMatchObject({ name: 'validation_error', status_code: 422 })
  })
})
