import { connect } from 'node:net'
import type { AskDns } from './ask-dns.ts'
import { type Finding, ok, problem, reasonOf, warning } from './finding.ts'

const TIMEOUT_MS = 10_000
const GREETING_BYTES_MAX = 1024

/** Checks that port 25 is open for outgoing mail: many providers block it by default. Sends QUIT and no mail. */
export async function checkPortOut(
  dns: AskDns,
  { domain, port }: { domain: string; port: number },
): Promise<Finding> {
  const check = `port ${port} to ${domain}`
  const [host] = (await dns.mx(domain)) ?? []
  const [address] = host === undefined ? [] : ((await dns.addresses(host)) ?? [])
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
