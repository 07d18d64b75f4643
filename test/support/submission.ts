import { expect } from 'vitest'
import { codeOf, openSmtps, type RawSmtp } from './smtp-client.ts'

export const loginOf = (token: string) => Buffer.from(`\0any\0${token}`).toString('base64')

/** Opens a connection with TLS from the first byte and logs in with a key. */
export async function logIn(port: number, token: string): Promise<RawSmtp> {
  const client = await openSmtps(port)
  await client.hear()
  expect(await client.codes('EHLO app.test', `AUTH PLAIN ${loginOf(token)}`)).toEqual(['250', '235 2.7.0'])
  return client
}

/** Runs a transaction from MAIL to the reply to the final dot, with unchanged content. */
export async function submitRaw(
  client: RawSmtp,
  content: string | Buffer,
  { to = ['bob@receiver.test'], from = 'a@b' } = {},
): Promise<string> {
  expect(codeOf(await client.say(`MAIL FROM:<${from}>`))).toBe('250 2.1.0')
  for (const one of to) expect(codeOf(await client.say(`RCPT TO:<${one}>`))).toBe('250 2.1.5')
  expect(codeOf(await client.say('DATA'))).toBe('354')
  client.write(content)
  return (await client.say('\r\n.')) ?? 'gone'
}

/** Returns the email's id in the reply, or else the reply itself. */
export const idOf = (answer: string) => /accepted as (\S+)$/.exec(answer)?.[1] ?? answer
