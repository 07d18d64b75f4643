import type { IncomingMessage } from 'node:http'
import { BlockList, isIPv6 } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import type { Network } from '../../config/networks.ts'

/** A year. Neither subdomains nor other hosts: they may belong to customers, or have no certificate. */
const STRICT_TRANSPORT_SECURITY = 'max-age=31536000'

export interface RequireTlsOptions {
  publicUrl: string
  /** Proxies that end TLS themselves; their connections to this server may be without it. */
  trusted: readonly Network[]
  /** Returns whether this server has a certificate for a host. */
  covers(host: string): boolean
  /** Requests that are answered without TLS. */
  isExempt(request: IncomingMessage): boolean
}

/** The host of a Host field (RFC 9110 section 7.2), without its port. */
const HOST = /^([a-z0-9.-]{1,253})(?::\d{1,5})?$/i

/**
 * Redirects requests that arrive without TLS to https (308: with their method). Connections from this machine are exempt:
 * health checks and other programs use them. The target is a host that this server serves, or the public URL: the host that
 * a client names must not lead elsewhere.
 *
 * Over TLS, the host of the public URL asks browsers to use https only (RFC 6797). Tracking hosts do not: their names belong
 * to customers, who may take them to a service without TLS, and browsers would then reject their links for a year.
 */
export function requireTls(app: FastifyInstance, options: RequireTlsOptions): void {
  const { publicUrl, covers, isExempt } = options
  const { host: publicHost, hostname: publicName, port } = new URL(publicUrl)
  const isLocal = createIsLocal(options.trusted)
  const targetOf = (request: IncomingMessage) => {
    const host = hostOf(request)
    if (host === null || !covers(host)) return publicHost
    return `${host}${port === '' ? '' : `:${port}`}`
  }
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request
    if (raw.socket instanceof TLSSocket && hostOf(raw) === publicName && covers(publicName))
      reply.header('strict-transport-security', STRICT_TRANSPORT_SECURITY)
    if (raw.socket instanceof TLSSocket || isExempt(raw) || isLocal(raw)) return done()
    // Not the original URL, which may be absolute.
    reply.redirect(`https://${targetOf(raw)}${request.url}`, 308)
  })
}

/** Returns the host that a client names, or null if it names none. */
function hostOf({ headers }: IncomingMessage): string | null {
  const [, host] = HOST.exec(headers.host ?? '') ?? []
  return host?.toLowerCase() ?? null
}

function createIsLocal(trusted: readonly Network[]): (request: IncomingMessage) => boolean {
  const local = new BlockList()
  local.addSubnet('127.0.0.0', 8, 'ipv4')
  local.addAddress('::1', 'ipv6')
  for (const { address, prefix } of trusted) local.addSubnet(address, prefix, familyOf(address))
  // A BlockList compares IPv4-mapped addresses with its IPv4 rules.
  return ({ socket: { remoteAddress } }) =>
    remoteAddress !== undefined && local.check(remoteAddress, familyOf(remoteAddress))
}

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4')
