import { expect, test } from 'vitest'
import { describeClients } from './support/clients.ts'

describeClients((setup) => {
  const open = {
    python: 'from sendwright.testing import open_inbox; inbox = open_inbox(sendwright)',
    php: '$inbox = Sendwright\\Testing\\Inbox::open($sendwright);',
  }

  test('waits for each matching message once, and for none from before the inbox was opened', async (context) => {
    const { run, sender } = await setup.givenInterpreter(context)
    const send = (fields: object) => sender.send({ to: 'Ann@receiver.test', ...fields })
    await sender.settled(await send({ subject: 'Before' }))
    await run(open)
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

  test('a timeout names the messages that arrived', async (context) => {
    const { run, fail, sender } = await setup.givenInterpreter(context)
    await run(open)
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
