import { createServer } from 'node:https'
import { buffer } from 'node:stream/consumers'
import { listenHere } from './listen-here.ts'
import type { MxTls } from './mx-script.ts'

/** A web server that publishes MTA-STS policies, or other responses of a test. */
export interface PolicyHost {
  port: number
  /** Requested host names, in order. */
  asked: string[]
  /** The response of each host; 404 when none is set. */
  answers: Map<string, { status?: number; type?: string; body: string; location?: string } | 'nothing'>
  /** POST requests, with their path. */
  posted: { path: string; type: string | undefined; body: Buffer }[]
  close(): Promise<void>
}

export async function startPolicyHost(tls: MxTls): Promise<PolicyHost> {
  const server = createServer({ key: tls.key, cert: tls.cert }, async (request, response) => {
    const name = (request.headers.host ?? '').replace(/:\d+$/, '')
    const answer = host.answers.get(name)
    if (request.method === 'POST') {
      const body = await buffer(request)
      host.posted.push({ path: request.url ?? '', type: request.headers['content-type'], body })
      response.writeHead(typeof answer === 'object' ? (answer.status ?? 200) : 200).end()
      return
    }
    host.asked.push(name)
    if (answer === 'nothing') return
    if (answer === undefined || request.url !== '/.well-known/mta-sts.txt') response.writeHead(404).end()
    else {
      const location = answer.location === undefined ? {} : { location: answer.location }
      response.writeHead(answer.status ?? 200, { 'content-type': answer.type ?? 'text/plain', ...location })
      response.end(answer.body)
    }
  })
  const { port, close } = await listenHere(server)
  const host: PolicyHost = { port, asked: [], answers: new Map(), posted: [], close }
  return host
}

/** Returns a policy file (RFC 8461 section 3.2). */
export function policyText(mode: string, mx: readonly string[], maxAgeSeconds = 86_400): string {
  return [
    'version: STSv1',
    `mode: ${mode}`,
    ...mx.map((name) => `mx: ${name}`),
    `max_age: ${maxAgeSeconds}`,
    '',
  ].join('\r\n')
}
