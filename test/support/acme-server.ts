import { createHash, createPublicKey, type JsonWebKey, randomBytes, verify, webcrypto } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { buffer, text } from 'node:stream/consumers'
import { connect } from 'node:tls'
import {
  BasicConstraintsExtension,
  cryptoProvider,
  Pkcs10CertificateRequest,
  SubjectAlternativeNameExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509'
import { listenHere } from './listen-here.ts'

/** A certificate authority that speaks the part of RFC 8555 that one certificate for one host needs. */
export interface TestAcme {
  directoryUrl: string
  /** PEM of the root, for clients. */
  root: string
  /** The hosts for which it issued certificates, in order. */
  issued: string[]
  /** The challenges that hosts passed, in order: `http-01 a.test`. */
  proven: string[]
  /** Counts the accounts, by their keys. */
  countAccounts(): number
  /** Returns the contacts of the last account. */
  listContacts(): readonly string[]
  /** How long the next certificates are valid. */
  validMs: number
  /** The port at which it asks for challenges, in place of 80. All hosts are on this machine. */
  challengePort: number
  /** The same for TLS-ALPN-01, in place of 443. */
  tlsPort: number
  /** The Retry-After of a rate limit that refuses all orders; null for no limit. */
  waitSeconds: number | null
  close(): Promise<void>
}

interface Order {
  host: string
  token: string
  status: 'pending' | 'ready' | 'valid' | 'invalid'
  reason: string | null
  thumbprint: string
  chain: string
}

/** A signed request (RFC 8555 section 6.2) after its checks. */
interface Signed {
  // biome-ignore lint/suspicious/noExplicitAny: payloads differ by resource; a wrong access fails the test
  payload: any
  jwk: JsonWebKey
  kid: string | null
}

const DAY_MS = 86_400_000
const CHALLENGES = ['http-01', 'tls-alpn-01']
/** RFC 8737 section 3. */
const ACME_IDENTIFIER = '1.3.6.1.5.5.7.1.31'
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

class Problem extends Error {
  readonly status: number
  readonly type: string
  constructor(status: number, type: string, detail: string) {
    super(detail)
    this.status = status
    this.type = type
  }
}

/** RFC 7638, for the keys of P-256. */
function thumbprintOf({ crv, kty, x, y }: JsonWebKey): string {
  return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')
}

const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())

/** Starts the certificate authority. */
export async function startAcme(): Promise<TestAcme> {
  cryptoProvider.set(webcrypto)
  const authority = new Authority(await createIssuer())
  await authority.listen()
  return authority
}

class Authority implements TestAcme {
  readonly issued: string[] = []
  readonly proven: string[] = []
  readonly root: string
  validMs = 90 * DAY_MS
  challengePort = 0
  tlsPort = 0
  waitSeconds: number | null = null
  readonly #issuer: Issuer
  readonly #nonces = new Set<string>()
  readonly #accounts = new Map<string, { jwk: JsonWebKey; contact: readonly string[] }>()
  readonly #orders = new Map<string, Order>()
  #base = ''
  close = async (): Promise<void> => {}

  constructor(issuer: Issuer) {
    this.#issuer = issuer
    this.root = issuer.root
  }

  async listen(): Promise<void> {
    const server = createServer((incoming, outgoing) => this.#serve(incoming, outgoing))
    const { url, close } = await listenHere(server)
    this.#base = url
    this.close = close
  }

  get directoryUrl(): string {
    return `${this.#base}/directory`
  }

  countAccounts(): number {
    return this.#accounts.size
  }

  listContacts(): readonly string[] {
    return [...this.#accounts.values()].at(-1)?.contact ?? []
  }

  async #serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const nonce = randomBytes(16).toString('base64url')
    this.#nonces.add(nonce)
    outgoing.setHeader('replay-nonce', nonce)
    try {
      write(outgoing, await this.#answer(incoming))
    } catch (error) {
      const { status = 500, type = 'serverInternal', message } = error as Partial<Problem>
      outgoing.setHeader('content-type', 'application/problem+json')
      if (status === 429) outgoing.setHeader('retry-after', `${this.waitSeconds}`)
      outgoing.writeHead(status)
      outgoing.end(JSON.stringify({ type: `urn:ietf:params:acme:error:${type}`, detail: message, status }))
    }
  }

  async #answer(incoming: IncomingMessage): Promise<Answer> {
    const [, kind = '', id = '', type = ''] = (incoming.url ?? '').split('/')
    if (kind === 'directory') return { status: 200, json: directoryOf(this.#base) }
    if (kind === 'new-nonce') return { status: 200 }
    const signed = await this.#readSigned(incoming)
    if (kind === 'new-account') return this.#openAccount(signed)
    if (signed.kid === null) throw new Problem(400, 'malformed', 'The request has no account.')
    if (kind === 'account') return this.#updateAccount(signed)
    if (kind === 'new-order') return this.#openOrder(signed)
    const order = this.#orders.get(id)
    if (order === undefined) throw new Problem(404, 'malformed', 'There is no such order.')
    if (kind === 'certificate') return { status: 200, pem: order.chain }
    if (kind === 'authorization') return { status: 200, json: this.#authorizationJson(order) }
    if (kind === 'challenge') {
      if (signed.payload !== null) await this.#validate(order, type)
      return { status: 200, json: this.#challengeJson(order, type) }
    }
    if (kind === 'finalize') await this.#finalize(order, signed.payload.csr)
    return { status: 200, location: `${this.#base}/order/${id}`, json: this.#orderJson(order) }
  }

  async #readSigned(incoming: IncomingMessage): Promise<Signed> {
    const body = JSON.parse(await text(incoming))
    const header = decode(body.protected)
    if (!this.#nonces.delete(header.nonce)) throw new Problem(400, 'badNonce', 'The nonce is not known.')
    if (header.url !== `${this.#base}${incoming.url}`)
      throw new Problem(401, 'unauthorized', 'The URL differs.')
    const jwk = header.jwk ?? this.#accounts.get(header.kid)?.jwk
    if (jwk === undefined) throw new Problem(400, 'accountDoesNotExist', 'There is no such account.')
    const key = createPublicKey({ key: jwk, format: 'jwk' })
    const signature = Buffer.from(body.signature, 'base64url')
    const signed = Buffer.from(`${body.protected}.${body.payload}`)
    if (!verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, signature))
      throw new Problem(403, 'malformed', 'The signature is wrong.')
    return { payload: body.payload === '' ? null : decode(body.payload), jwk, kid: header.kid ?? null }
  }

  #openAccount({ jwk, payload }: Signed): Answer {
    const url = `${this.#base}/account/${thumbprintOf(jwk)}`
    const isNew = !this.#accounts.has(url)
    if (payload.termsOfServiceAgreed !== true)
      throw new Problem(403, 'userActionRequired', 'Agree to the terms.')
    this.#accounts.set(url, { jwk, contact: payload.contact ?? [] })
    return { status: isNew ? 201 : 200, location: url, json: { status: 'valid' } }
  }

  /** RFC 8555 section 7.3.2. */
  #updateAccount({ jwk, kid, payload }: Signed): Answer {
    if (payload?.contact !== undefined) this.#accounts.set(`${kid}`, { jwk, contact: payload.contact })
    return { status: 200, json: { status: 'valid' } }
  }

  #openOrder({ jwk, payload }: Signed): Answer {
    if (this.waitSeconds !== null) throw new Problem(429, 'rateLimited', 'Too many orders.')
    const token = randomBytes(16).toString('base64url')
    const host = payload.identifiers[0].value
    const thumbprint = thumbprintOf(jwk)
    const order: Order = { host, token, status: 'pending', reason: null, thumbprint, chain: '' }
    this.#orders.set(token, order)
    return { status: 201, location: `${this.#base}/order/${token}`, json: this.#orderJson(order) }
  }

  #orderJson({ token, host, status }: Order) {
    return {
      status,
      identifiers: [{ type: 'dns', value: host }],
      authorizations: [`${this.#base}/authorization/${token}`],
      finalize: `${this.#base}/finalize/${token}`,
      ...(status === 'valid' ? { certificate: `${this.#base}/certificate/${token}` } : {}),
    }
  }

  #authorizationJson(order: Order) {
    const challenges = CHALLENGES.map((type) => this.#challengeJson(order, type))
    return { status: challenges[0]?.status, identifier: { type: 'dns', value: order.host }, challenges }
  }

  #challengeJson({ token, reason, ...order }: Order, type: string) {
    const status = order.status === 'ready' ? 'valid' : order.status
    const error = reason === null ? {} : { error: { type: 'unauthorized', detail: reason } }
    return { type, url: `${this.#base}/challenge/${token}/${type}`, token, status, ...error }
  }

  /** Asks the host, as RFC 8555 section 8.3 or RFC 8737 section 3 describes. */
  async #validate(order: Order, type: string): Promise<void> {
    const wanted = `${order.token}.${order.thumbprint}`
    const isPlain = type === 'http-01'
    const asked = isPlain
      ? getPlain(this.challengePort, order.host, `/.well-known/acme-challenge/${order.token}`)
      : readAlpnAnswer(this.tlsPort, order.host)
    const found = await asked.catch((error: Error) => error.message)
    const isRight = found === (isPlain ? wanted : digestOf(wanted))
    order.status = isRight ? 'ready' : 'invalid'
    if (isRight) this.proven.push(`${type} ${order.host}`)
    else order.reason = `The host ${order.host} answered the challenge with: ${found.slice(0, 100)}`
  }

  async #finalize(order: Order, csr: string): Promise<void> {
    if (order.status !== 'ready') throw new Problem(403, 'orderNotReady', 'The order is not ready.')
    const der = new Uint8Array(Buffer.from(csr, 'base64url'))
    order.chain = await this.#issuer.issue(order.host, new Pkcs10CertificateRequest(der), this.validMs)
    order.status = 'valid'
    this.issued.push(order.host)
  }
}

interface Answer {
  status: number
  location?: string
  json?: unknown
  pem?: string
}

function write(outgoing: ServerResponse, { status, location, json, pem }: Answer): void {
  if (location !== undefined) outgoing.setHeader('location', location)
  const type = pem === undefined ? 'application/json' : 'application/pem-certificate-chain'
  outgoing.writeHead(status, { 'content-type': type })
  outgoing.end(pem ?? (json === undefined ? '' : JSON.stringify(json)))
}

function directoryOf(base: string) {
  return {
    newNonce: `${base}/new-nonce`,
    newAccount: `${base}/new-account`,
    newOrder: `${base}/new-order`,
    meta: { termsOfService: `${base}/terms` },
  }
}

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** Returns the digest in the certificate that a host presents for the challenge, or the reason why there is none. */
async function readAlpnAnswer(port: number, host: string): Promise<string> {
  const options = { port, host: '127.0.0.1', servername: host, rejectUnauthorized: false }
  const socket = connect({ ...options, ALPNProtocols: ['acme-tls/1'] })
  try {
    await once(socket, 'secureConnect')
    const presented = socket.getPeerX509Certificate()
    if (socket.alpnProtocol !== 'acme-tls/1' || presented === undefined) return 'no challenge'
    if (presented.subjectAltName !== `DNS:${host}`) return `a certificate for ${presented.subjectAltName}`
    const found = new X509Certificate(new Uint8Array(presented.raw)).getExtension(ACME_IDENTIFIER)
    // An OCTET STRING of 32 bytes.
    return found?.critical === true
      ? Buffer.from(found.value).toString('hex').slice(4)
      : 'no critical acmeIdentifier'
  } finally {
    socket.destroy()
  }
}

async function getPlain(port: number, host: string, path: string): Promise<string> {
  const asked = request({ host: '127.0.0.1', port, path, headers: { host }, agent: false })
  asked.end()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  return (await buffer(answer)).toString()
}

interface Issuer {
  root: string
  issue(host: string, csr: Pkcs10CertificateRequest, validMs: number): Promise<string>
}

async function createIssuer(): Promise<Issuer> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const root = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=Test ACME root',
    keys: keys as webcrypto.CryptoKeyPair,
    signingAlgorithm: ALGORITHM,
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + 3650 * DAY_MS),
    extensions: [new BasicConstraintsExtension(true, undefined, true)],
  })
  return {
    root: root.toString('pem'),
    async issue(host, csr, validMs) {
      if (!(await csr.verify())) throw new Problem(400, 'badCSR', 'The signature of the CSR is wrong.')
      const leaf = await X509CertificateGenerator.create({
        serialNumber: randomBytes(8).toString('hex'),
        issuer: root.subject,
        notBefore: new Date(Date.now() - 60_000),
        notAfter: new Date(Date.now() + validMs),
        signingKey: (keys as webcrypto.CryptoKeyPair).privateKey,
        publicKey: csr.publicKey,
        signingAlgorithm: ALGORITHM,
        extensions: [new SubjectAlternativeNameExtension([{ type: 'dns', value: host }])],
      })
      return `${leaf.toString('pem')}\n${root.toString('pem')}\n`
    },
  }
}
