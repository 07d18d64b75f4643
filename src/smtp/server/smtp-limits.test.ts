import { expect, test } from 'vitest'
import { codeOf, openSmtp, type RawSmtp } from '../../../test/support/smtp-client.ts'
import { greeted, startListener as start } from '../../../test/support/smtp-listener.ts'
import { reply, type SmtpEnvelope } from './smtp-types.ts'

test('452 for recipients above the limit, and the others are accepted', async () => {
  const { listener } = await start({ limits: { recipientsMax: 2 } })
  const client = await greeted(listener)
  const to = (name: string) => `RCPT TO:<${name}@d.test>`
  expect(await client.codes('MAIL FROM:<>', to('a'), to('b'), to('c'), 'DATA', '.')).toEqual([
    '250 2.1.0',
    '250 2.1.5',
    '250 2.1.5',
    '452 4.5.3',
    '354',
    '250 2.0.0',
  ])
  client.close()
})

test('552 after a message that is too large, and the connection continues', async () => {
  const { listener, messages } = await start({ limits: { messageBytesMax: 1_000 } })
  const client = await greeted(listener)
  await client.codes('MAIL FROM:<>', 'RCPT TO:<c@d.test>', 'DATA')
  client.write(`${'x'.repeat(1_000)}\r\n.\r\n`)
  expect(codeOf(await client.hear())).toBe('552 5.3.4')
  expect(await client.codes('NOOP')).toEqual(['250 2.0.0'])
  expect(messages).toEqual([])
  client.close()
})

test('552 and disconnect for a message that does not end', async () => {
  const { listener } = await start({ limits: { messageBytesMax: 1_000 } })
  const client = await greeted(listener)
  await client.codes('MAIL FROM:<>', 'RCPT TO:<c@d.test>', 'DATA')
  client.write('x'.repeat(5_000))
  expect(codeOf(await client.hear())).toBe('552 5.3.4')
  expect(await client.hear()).toBeNull()
})

test('large messages wait for each other, 452 after too long a wait, and small ones pass', async () => {
  let gate = Promise.withResolvers<void>()
  let started = Promise.withResolvers<void>()
  const sizes: number[] = []
  const onMessage = async (_: SmtpEnvelope, { length }: Buffer) => {
    sizes.push(length)
    if (length < 1_000) return reply(250, '2.0.0', 'kept')
    started.resolve()
    await gate.promise
    return reply(250, '2.0.0', 'kept')
  }
  const limits = { allMessagesBytesMax: 1_000_000, roomTimeoutMs: 2000, messageBytesMax: 900_000 }
  const { listener } = await start({ limits }, { onMessage })
  const clients = await Promise.all(Array.from({ length: 3 }, () => greeted(listener)))
  const [first, second, third] = clients as [RawSmtp, RawSmtp, RawSmtp]
  for (const one of clients) await one.codes('MAIL FROM:<> SIZE=600000', 'RCPT TO:<c@d.test>', 'DATA')
  const large = 'x'.repeat(600_000)
  first.write(`${large}\r\n.\r\n`)
  await started.promise
  started = Promise.withResolvers()
  second.write(`${large}\r\n.\r\n`)
  expect(await third.codes('x\r\n.')).toEqual(['250 2.0.0'])
  gate.resolve()
  expect(codeOf(await first.hear())).toBe('250 2.0.0')
  expect(codeOf(await second.hear())).toBe('250 2.0.0')
  gate = Promise.withResolvers()
  started = Promise.withResolvers()
  for (const one of [first, second]) await one.codes('MAIL FROM:<>', 'RCPT TO:<c@d.test>', 'DATA')
  first.write(`${large}\r\n.\r\n`)
  await started.promise
  second.write(`${large}\r\n.\r\n`)
  expect(codeOf(await second.hear())).toBe('452 4.3.1')
  gate.resolve()
  expect(codeOf(await first.hear())).toBe('250 2.0.0')
  expect(sizes).toEqual([600_002, 3, 600_002, 600_002])
  for (const one of clients) one.close()
})

test('a large message is received once there is room, although its end arrived before', async () => {
  const gate = Promise.withResolvers<void>()
  const started = Promise.withResolvers<void>()
  const onMessage = async () => {
    started.resolve()
    await gate.promise
    return reply(250, '2.0.0', 'kept')
  }
  const limits = { allMessagesBytesMax: 1_000_000, messageBytesMax: 900_000 }
  const { listener } = await start({ limits }, { onMessage })
  const clients = await Promise.all(Array.from({ length: 3 }, () => greeted(listener)))
  const [first, second, third] = clients as [RawSmtp, RawSmtp, RawSmtp]
  for (const one of [first, second]) await one.codes('MAIL FROM:<>', 'RCPT TO:<c@d.test>', 'DATA')
  first.write(`${'x'.repeat(600_000)}\r\n.\r\n`)
  await started.promise
  second.write('x'.repeat(300_000))
  await third.codes('NOOP', 'NOOP')
  second.write('\r\n.\r\n')
  await third.codes('NOOP', 'NOOP')
  gate.resolve()
  expect(codeOf(await first.hear())).toBe('250 2.0.0')
  expect(codeOf(await second.hear())).toBe('250 2.0.0')
  for (const one of clients) one.close()
})

test('552 for a message far larger than announced in MAIL; SIZE=0 announces nothing', async () => {
  const { listener, messages } = await start()
  const client = await greeted(listener)
  await client.codes('MAIL FROM:<> SIZE=1000', 'RCPT TO:<c@d.test>', 'DATA')
  client.write(`${'x'.repeat(400_000)}\r\n.\r\n`)
  expect(codeOf(await client.hear())).toBe('552 5.3.4')
  expect(messages).toEqual([])
  await client.codes('MAIL FROM:<> SIZE=0', 'RCPT TO:<c@d.test>', 'DATA')
  client.write(`${'x'.repeat(400_000)}\r\n.\r\n`)
  expect(codeOf(await client.hear())).toBe('250 2.0.0')
  client.close()
})

test('421 after too many errors, and after too many idle commands', async () => {
  const { listener } = await start({ limits: { errorsMax: 3, idleCommandsMax: 5 } })
  const wrong = await greeted(listener)
  expect(await wrong.codes('X', 'Y', 'Z')).toEqual(['500 5.5.1', '500 5.5.1', '500 5.5.1'])
  expect(codeOf(await wrong.hear())).toBe('421 4.7.0')
  const idle = await greeted(listener)
  expect((await idle.codes('NOOP', 'NOOP', 'NOOP', 'NOOP')).at(-1)).toBe('250 2.0.0')
  expect(codeOf(await idle.hear())).toBe('421 4.7.0')
})

test('421 for a connection above the limit per address, until another ends', async () => {
  const { listener } = await start({ limits: { connectionsPerAddressMax: 1 } })
  const first = await greeted(listener)
  expect(codeOf(await (await openSmtp(listener.port)).hear())).toBe('421 4.7.0')
  first.close()
  await expect.poll(async () => codeOf(await (await openSmtp(listener.port)).hear())).toBe('220')
})

test('421 for a connection above the total limit', async () => {
  const { listener } = await start({ limits: { connectionsMax: 1 } })
  await greeted(listener)
  expect(codeOf(await (await openSmtp(listener.port)).hear())).toBe('421 4.3.2')
})

test('421 for a client that is silent, never ends a command, does not log in, or sends a message too slowly', async () => {
  const silent = await start({ limits: { idleTimeoutMs: 500 } })
  expect(codeOf(await (await greeted(silent.listener)).hear())).toBe('421 4.4.2')

  const endless = await start({ limits: { idleTimeoutMs: 500 } })
  const typist = await greeted(endless.listener)
  const letters = setInterval(() => typist.write('N'), 20)
  expect(codeOf(await typist.hear())).toBe('421 4.4.2')
  clearInterval(letters)

  const stranger = await start({ isAuthRequired: true, limits: { authenticationTimeoutMs: 500 } })
  const client = await greeted(stranger.listener)
  const chatter = setInterval(() => client.write('NOOP\r\n'), 20)
  const heard = await client.rest()
  clearInterval(chatter)
  expect(heard).toContain('421 4.4.2')

  const slow = await start({ limits: { messageTimeoutMs: 500 } })
  const sender = await greeted(slow.listener)
  await sender.codes('MAIL FROM:<>', 'RCPT TO:<c@d.test>', 'DATA')
  const drip = setInterval(() => sender.write('x'), 20)
  expect(codeOf(await sender.hear())).toBe('421 4.4.2')
  clearInterval(drip)
})
