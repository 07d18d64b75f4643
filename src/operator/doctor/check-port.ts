import { connect } from 'node:net'
import type { Guard } from '../../lib/net/egress-guard.ts'
import type { AskDns } from './ask-dns.ts'
import { CHECK_DNS, LOOKUP_FAILED } from './check-names.ts'
import { type Finding, ok, problem, reasonOf, warning } from './finding.ts'

const TIMEOUT_MS = 10_000
const GREETING_BYTES_MAX = 1024
/** How the listeners of Sendwright greet. */
const GREETING = /^220 \S+ ESMTP Sendwright/

/** Checks that port 25 is open for outgoing mail: many providers block it by default. Sends QUIT and no mail. */
export async function checkPortOut(
  dns: AskDns,
  { domain, port }: { domain: string; port: number },
): Promise<Finding> {
  const check = `port ${port} to ${domain}`
  const mx = await dns.mx(domain)
  const [host] = mx ?? []
  const addresses = host === undefined ? [] : await dns.addresses(host)
  if (mx === null || addresses === null) return warning(check, LOOKUP_FAILED, CHECK_DNS)
  const [address] = addresses
  if (host === undefined || address === undefined) {
    return warning(
      check,
      `DNS returns no mail server for ${domain}.`,
      'Choose another domain with --probe-domain.',
    )
  }
  try {
    const greeting = await readGreeting(address, port)
    if (greeting.startsWith('220')) return ok(check, `${host} answers: ${greeting}`)
    return warning(
      check,
      `${host} does not greet with 220: ${greeting}`,
      'The server may block the address of this machine. Check --dnsbl, and the reverse DNS above.',
    )
  } catch (error) {
    return problem(
      check,
      `No connection to ${host} [${address}]: ${reasonOf(error)}.`,
      'Ask the hosting provider to open outgoing port 25, or send through a relay (SENDWRIGHT_DELIVERY=smtp://...).',
    )
  }
}

/**
 * Checks that bounces arrive: that the MX hosts of the return path lead to the inbound listener of Sendwright. Sends QUIT
 * and no mail.
 * @param guard refuses addresses that others cannot reach; none of them is connected to
 */
export async function checkPortIn(
  dns: AskDns,
  { hostname, port, guard }: { hostname: string; port: number; guard: Guard },
): Promise<Finding> {
  const check = `port ${port} of ${hostname}`
  const mx = await dns.mx(hostname)
  const [host = hostname] = mx ?? []
  const addresses = mx === null ? null : await dns.addresses(host)
  if (addresses === null) return warning(check, LOOKUP_FAILED, CHECK_DNS)
  const [address] = addresses
  if (address === undefined) {
    return warning(check, `${host} has no address.`, `Publish: ${host}. A <the address of this server>`)
  }
  const refused = guard.refuse(address)
  if (refused !== null) {
    const advice = `Publish the public address of this server as the A record of ${host}.`
    return warning(check, `${host} resolves to ${address}, a ${refused}.`, advice)
  }
  const redirect = `Let port ${port} of ${host} lead to SENDWRIGHT_INBOUND_PORT, and set SENDWRIGHT_SMTP_HOST=0.0.0.0.`
  try {
    const greeting = await readGreeting(address, port)
    if (GREETING.test(greeting)) return ok(check, `${host} answers: ${greeting}`)
    return warning(check, `Another server answers at ${host}: ${greeting}`, redirect)
  } catch (error) {
    return warning(
      check,
      `No connection to ${host} [${address}]: ${reasonOf(error)}. Bounces and complaints do not arrive.`,
      `${redirect} If this machine cannot reach its own public address, check from another one.`,
    )
  }
}

/** Resolves to the server's greeting as printable ASCII, or rejects with the connection error. */
function readGreeting(address: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port })
    const timer = setTimeout(() => socket.destroy(new Error('timed out')), TIMEOUT_MS)
    let text = ''
    const finish = () => {
      clearTimeout(timer)
      socket.end('QUIT\r\n')
      resolve(text.split('\r\n', 1)[0]?.replace(/[^\x20-\x7e]/g, '?') ?? '')
    }
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => {
      text += chunk
      if (text.includes('\n') || text.length > GREETING_BYTES_MAX) finish()
    })
    socket.on('error', reject)
    socket.on('close', () => {
      clearTimeout(timer)
      reject(new Error('the connection was closed'))
    })
  })
}
