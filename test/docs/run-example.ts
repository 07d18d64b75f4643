import { createTransport } from 'nodemailer'
import { expect } from 'vitest'
import { exchange } from '../support/client.ts'
import type { Sender, TestSendwright } from '../support/sendwright.ts'
import { expectAnswer, expectLastReply, expectText, type Ids, realIds } from './compare-answers.ts'
import type { Example, Mail } from './examples.ts'

/** A guide that runs as a team. */
export interface GuideRun {
  service: TestSendwright
  sender: Sender
  ids: Map<string, string>
}

export const GUIDE_ENVIRONMENT = {
  SENDWRIGHT_SUBMISSION_PORT: '0',
  PUBLIC_URL: 'http://127.0.0.1:8080',
  SENDWRIGHT_DELIVERY: 'capture',
  SENDWRIGHT_BOOTSTRAP_DOMAIN: 'first.example',
}

/** Runs the command of an example, and compares its response with the guide. */
export async function runExample(example: Example, guide: GuideRun): Promise<void> {
  const { service, sender, ids } = guide
  if (example.mail !== null) {
    expectLastReply(example.text ?? '', await submit(example, service, sender), ids)
    return
  }
  await retryUntilTrue(example.method === 'GET', async () => {
    expectReply(example, await run(example, guide), ids)
  })
}

export interface Reply {
  status: number
  text: string
  contentType: string | null
}

/** Compares a response with the one in the guide. */
export function expectReply(example: Example, reply: Reply, ids: Map<string, string>): void {
  expect(reply, reply.text).toSatisfy(({ status }) =>
    example.status === null ? status < 300 : status === example.status,
  )
  const isJson = reply.contentType?.startsWith('application/json') ?? false
  if (example.answer !== null) expectAnswer(example.answer, isJson ? JSON.parse(reply.text) : null, ids)
  if (example.text !== null) expectText(example.text, reply.text.replaceAll('\r\n', '\n'), ids, '$')
}

/** Replaces what stands for the ids, the domain and the key of the team. */
export function realText(text: string, sender: Sender, ids: Ids): string {
  return realIds(text, ids).replaceAll('$DOMAIN_ID', sender.domainId).replaceAll('$KEY', sender.token)
}

const DEADLINE_MS = 60_000
const POLL_MS = 50

/** Repeats a check of background work until it succeeds. */
export async function retryUntilTrue(mayRetry: boolean, attempt: () => Promise<void>): Promise<void> {
  const until = Date.now() + (mayRetry ? DEADLINE_MS : 0)
  for (;;) {
    try {
      await attempt()
      return
    } catch (error) {
      if (Date.now() >= until) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

async function run(
  { method, path, headers, body }: Example,
  { service, sender, ids }: GuideRun,
): Promise<Reply> {
  const real = (text: string) => realText(text, sender, ids)
  const {
    status,
    text,
    headers: answered,
  } = await exchange(service.url + real(path), {
    method,
    headers: {
      ...(body === null ? {} : { 'content-type': 'application/json' }),
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, real(value)])),
    },
    ...(body === null ? {} : { body: real(body) }),
  })
  return { status, text, contentType: answered.get('content-type') }
}

/** Submits the message as curl does. Returns the last reply. */
async function submit(
  { mail, headers: { login } }: Example,
  service: TestSendwright,
  sender: Sender,
): Promise<string> {
  const [user, pass] = (login ?? '').replaceAll('$KEY', sender.token).split(':')
  const { from, to, message } = mail as Mail
  const transport = createTransport({
    host: '127.0.0.1',
    port: service.submissionPort,
    requireTLS: true,
    auth: { user, pass },
    tls: { rejectUnauthorized: false },
  })
  return transport.sendMail({ envelope: { from, to }, raw: message }).then(
    ({ response }) => response,
    ({ response }: { response: string }) => response,
  )
}
