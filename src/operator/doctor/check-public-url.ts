import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { isIP } from 'node:net'
import type { Guard } from '../../lib/net/egress-guard.ts'
import type { AskDns } from './ask-dns.ts'
import { addressRecord, CHECK_DNS, LOOKUP_FAILED } from './check-names.ts'
import { type Finding, ok, problem, reasonOf, warning } from './finding.ts'

const TIMEOUT_MS = 10_000
const BODY_BYTES_MAX = 1_024
const ADDRESSES_MAX = 4
const HTTPS =
  'Set SENDWRIGHT_HTTPS_PORT and SENDWRIGHT_ACME=letsencrypt, or put a proxy with TLS in front, and set PUBLIC_URL to https:// and the name of this server.'
/** Codes of OpenSSL and Node.js for certificates that clients reject. */
const CERTIFICATE_ERROR = /CERT|SIGNATURE|SELF_SIGNED/

interface PublicUrl {
  publicUrl: string
  /** Refuses addresses that others cannot reach; none of them is connected to. */
  guard: Guard
  /** The addresses of this machine, if known. */
  addresses: readonly string[]
}

/**
 * Checks from this machine that PUBLIC_URL leads here, over TLS with a valid certificate: links in emails, tracked links,
 * the dashboard and clients depend on it. Follows no redirect, and sends no secret.
 */
export async function checkPublicUrl(dns: AskDns, options: PublicUrl): Promise<Finding> {
  const { publicUrl, guard } = options
  const check = `PUBLIC_URL ${publicUrl}`
  const url = new URL(`${publicUrl}/healthz`)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) === 0 && !host.includes('.')) {
    return problem(check, 'Others cannot reach this name.', HTTPS)
  }
  if (url.protocol !== 'https:') {
    return problem(check, 'It has no TLS: keys and sessions cross the network in clear text.', HTTPS)
  }
  const addresses = isIP(host) === 0 ? await dns.addresses(host) : [host]
  if (addresses === null) return warning(check, LOOKUP_FAILED, CHECK_DNS)
  if (addresses.length === 0) {
    const record = addressRecord(host, options.addresses)
    const line = `${host}. ${record?.type ?? 'A'} ${record?.value ?? '<the address of this server>'}`
    return problem(check, `${host} has no A or AAAA record.`, `Publish: ${line}`, record)
  }
  for (const address of addresses.slice(0, ADDRESSES_MAX)) {
    const refused = guard.refuse(address)
    if (refused !== null) {
      const advice = `Publish the public address of this server as the A record of ${host}.`
      return problem(check, `${host} resolves to ${address}, a ${refused}.`, advice)
    }
    const finding = await checkAddress(check, url, address)
    if (finding !== null) return finding
  }
  return ok(check, `It answers with a valid certificate at ${addresses.join(', ')}.`)
}

async function checkAddress(check: string, url: URL, address: string): Promise<Finding | null> {
  try {
    const { status, body } = await readHealth(url, address)
    if (status === 200 && body.replace(/\s/g, '') === '{"status":"ok"}') return null
    return problem(
      check,
      `${url.pathname} at ${address} answers with the status ${status}, but not as this server does.`,
      'Check that the name leads to this server, and that the proxy passes all paths to PORT.',
    )
  } catch (error) {
    const code = reasonOf(error)
    if (CERTIFICATE_ERROR.test(code)) {
      return problem(
        check,
        `The certificate at ${address} is not valid: ${code}.`,
        'Set SENDWRIGHT_ACME, or provide a certificate for this name with its intermediate certificates.',
      )
    }
    return problem(
      check,
      `No connection to ${address}, port ${url.port === '' ? 443 : url.port}: ${code}.`,
      'Open this port in the firewall, and let it lead to SENDWRIGHT_HTTPS_PORT or to your proxy. If this machine cannot reach its own public address, check from another one.',
    )
  }
}

/** Requests the URL at one address. Rejects with the error of the connection or the certificate. */
async function readHealth(url: URL, address: string): Promise<{ status: number; body: string }> {
  // An IPv6 address has brackets, and no certificate is selected by an address (RFC 6066 section 3).
  const isName = isIP(url.hostname) === 0 && !url.hostname.startsWith('[')
  const call = request({
    host: address,
    port: url.port === '' ? 443 : Number(url.port),
    path: url.pathname,
    servername: isName ? url.hostname : '',
    headers: { host: url.host },
    agent: false,
  })
  // After the head of the answer, `once` listens no longer, and an error without a listener would end this process. The
  // reader of the body gets an error too.
  call.on('error', () => {})
  const timer = setTimeout(() => call.destroy(new Error('no answer in time')), TIMEOUT_MS)
  try {
    call.end()
    const [answer] = (await once(call, 'response')) as [IncomingMessage]
    let body = ''
    answer.setEncoding('latin1')
    for await (const part of answer) {
      body += part
      if (body.length > BODY_BYTES_MAX) break
    }
    return { status: answer.statusCode ?? 0, body }
  } finally {
    clearTimeout(timer)
    call.destroy()
  }
}
