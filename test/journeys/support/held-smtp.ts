import { openSmtp, openSmtps, type RawSmtp } from '../../support/smtp-client.ts'
import { loginOf } from '../../support/submission.ts'
import type { Answer, HeldServer } from './held-server.ts'

/** Sends the content to the submission port with an API key. */
export async function submit(server: HeldServer, content: Buffer): Promise<Answer> {
  const client = await openSmtps(server.submissionsPort)
  await client.hear()
  for (const line of ['EHLO app.test', `AUTH PLAIN ${loginOf(server.ann.token)}`]) await client.say(line)
  return await send(client, server.ann.email().from as string, 'bob@receiver.test', content)
}

/** Sends the content to the inbound port, which requires no login. */
export async function sendInbound(server: HeldServer, to: string, content: Buffer): Promise<Answer> {
  const client = await openSmtp(server.inboundPort)
  await client.hear()
  await client.say('EHLO mx.receiver.test')
  return await send(client, '', to, content)
}

async function send(client: RawSmtp, from: string, to: string, content: Buffer): Promise<Answer> {
  const address = /<(.+)>/.exec(from)?.[1] ?? from
  await client.say(`MAIL FROM:<${address}>`)
  const admitted = await client.say(`RCPT TO:<${to}>`)
  if (admitted?.startsWith('250') !== true) throw new Error(`The reply to RCPT was ${admitted}`)
  await client.say('DATA')
  client.write(content)
  const text = (await client.say('\r\n.')) ?? 'gone'
  client.close()
  return { status: Number(text.slice(0, 3)) === 250 ? 202 : 422, text }
}

/** Sends bytes that are not SMTP. */
export async function sendGarbage(port: number, isSecure: boolean, octets: Buffer): Promise<Answer> {
  const client = await (isSecure ? openSmtps(port) : openSmtp(port))
  await client.hear()
  client.socket.end(octets)
  return { status: 422, text: await client.rest() }
}
