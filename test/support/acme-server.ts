import { createHash, createPublicKey, type JsonWebKey, randomBytes, verify, webcrypto } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer, text } from 'node:stream/consumers'
import {
  BasicConstraintsExtension,
  cryptoProvider,
  Pkcs10CertificateRequest,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509'

/** A certificate authority that speaks the part of RFC 8555 that one certificate for one host needs. */
export interface TestAcme {
  directoryUrl: string
  /** PEM of the root, for clients. */
  root: string
  /** The hosts for which it issued certificates, in order. */
  issued: string[]
  /** The number of accounts, by their keys. */
  readonly accounts: number
  /** The contacts of the last account. */
  readonly contacts: readonly string[]
  /** How long the next certificates are valid. */
  validMs: number
  /** The port at which it asks for challenges, in place of 80. All hosts are on this machine. */
  challengePort: number
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

export async function startAcme(): Promise<TestAcme> {
  cryptoProvider.set(webcrypto)
  const issuer = await createIssuer()
  const nonces = new Set<string>()
  const accounts = new Map<string, { jwk: JsonWebKey; contact: readonly string[] }>()
  const orders = new Map<string, Order>()
  const state = { validMs: 90 * DAY_MS, challengePort: 0 }
  const issued: string[] = []
  let base = ''

  async function readSigned(incoming: IncomingMessage): Promise<Signed> {
    const body = JSON.parse(await text(incoming))
    const header = decode(body.protected)
    if (!nonces.delete(header.nonce)) throw new Problem(400, 'badNonce', 'The nonce is not known.')
    if (header.url !== `${base}${incoming.url}`) throw new Problem(401, 'unauthorized', 'The URL differs.')
    const jwk = header.jwk ?? accounts.get(header.kid)?.jwk
    if (jwk === undefined) throw new Problem(400, 'accountDoesNotExist', 'There is no such account.')
    const key = createPublicKey({ key: jwk, format: 'jwk' })
    const signature = Buffer.from(body.signature, 'base64url')
    const signed = Buffer.from(`${body.protected}.${body.payload}`)
    if (!verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, signature))
      throw new Problem(403, 'malformed', 'The signature is wrong.')
    return { payload: body.payload === '' ? null : decode(body.payload), jwk, kid: header.kid ?? null }
  }

  function openAccount({ jwk, payload }: Signed): Answer {
    const url = `${base}/account/${thumbprintOf(jwk)}`
    const isNew = !accounts.has(url)
    if (payload.termsOfServiceAgreed !== true)
      throw new Problem(403, 'userActionRequired', 'Agree to the terms.')
    accounts.set(url, { jwk, contact: payload.contact ?? [] })
    return { status: isNew ? 201 : 200, location: url, json: { status: 'valid' } }
  }

  /** RFC 8555 section 7.3.2. */
  function updateAccount({ jwk, kid, payload }: Signed): Answer {
    if (payload?.contact !== undefined) accounts.set(`${kid}`, { jwk, contact: payload.contact })
    return { status: 200, json: { status: 'valid' } }
  }

  function orderJson(id: string, order: Order) {
    return {
      status: order.status,
      identifiers: [{ type: 'dns', value: order.host }],
      authorizations: [`${base}/authorization/${id}`],
      finalize: `${base}/finalize/${id}`,
      ...(order.status === 'valid' ? { certificate: `${base}/certificate/${id}` } : {}),
    }
  }

  function challengeJson(id: string, order: Order) {
    const status = order.status === 'ready' ? 'valid' : order.status
    const error = order.reason === null ? {} : { error: { type: 'unauthorized', detail: order.reason } }
    return { type: 'http-01', url: `${base}/challenge/${id}`, token: order.token, status, ...error }
  }

  /** Asks the host, as RFC 8555 section 8.3 describes. */
  async function validate(order: Order): Promise<void> {
    const path = `/.well-known/acme-challenge/${order.token}`
    const found = await getPlain(state.challengePort, order.host, path).catch((error: Error) => error.message)
    const isRight = found === `${order.token}.${order.thumbprint}`
    order.status = isRight ? 'ready' : 'invalid'
    if (!isRight) order.reason = `The host ${order.host} answered the challenge with: ${found.slice(0, 100)}`
  }

  async function finalize(order: Order, csr: string): Promise<void> {
    if (order.status !== 'ready') throw new Problem(403, 'orderNotReady', 'The order is not ready.')
    const der = new Uint8Array(Buffer.from(csr, 'base64url'))
    order.chain = await issuer.issue(order.host, new Pkcs10CertificateRequest(der), state.validMs)
    order.status = 'valid'
    issued.push(order.host)
  }

  async function answer(incoming: IncomingMessage): Promise<Answer> {
    const [, kind, id = ''] = (incoming.url ?? '').split('/')
    if (kind === 'directory') return { status: 200, json: directoryOf(base) }
    if (kind === 'new-nonce') return { status: 200 }
    const signed = await readSigned(incoming)
    if (kind === 'new-account') return openAccount(signed)
    if (signed.kid === null) throw new Problem(400, 'malformed', 'The request has no account.')
    if (kind === 'account') return updateAccount(signed)
    if (kind === 'new-order') {
      const [token, thumbprint] = [randomBytes(16).toString('base64url'), thumbprintOf(signed.jwk)]
      const host = signed.payload.identifiers[0].value
      const order: Order = { host, token, status: 'pending', reason: null, thumbprint, chain: '' }
      orders.set(token, order)
      return { status: 201, location: `${base}/order/${token}`, json: orderJson(token, order) }
    }
    const order = orders.get(id)
    if (order === undefined) throw new Problem(404, 'malformed', 'There is no such order.')
    if (kind === 'challenge' && signed.payload !== null) await validate(order)
    if (kind === 'challenge') return { status: 200, json: challengeJson(id, order) }
    if (kind === 'certificate') return { status: 200, pem: order.chain }
    if (kind === 'finalize') await finalize(order, signed.payload.csr)
    if (kind !== 'authorization')
      return { status: 200, location: `${base}/order/${id}`, json: orderJson(id, order) }
    const challenge = challengeJson(id, order)
    const identifier = { type: 'dns', value: order.host }
    return { status: 200, json: { status: challenge.status, identifier, challenges: [challenge] } }
  }

  const server = createServer(async (incoming, outgoing) => {
    const nonce = randomBytes(16).toString('base64url')
    nonces.add(nonce)
    outgoing.setHeader('replay-nonce', nonce)
    try {
      write(outgoing, await answer(incoming))
    } catch (error) {
      const { status = 500, type = 'serverInternal', message } = error as Problem
      outgoing.setHeader('content-type', 'application/problem+json')
      outgoing.writeHead(status)
      outgoing.end(JSON.stringify({ type: `urn:ietf:params:acme:error:${type}`, detail: message, status }))
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    get validMs() {
      return state.validMs
    },
    set validMs(validMs) {
      state.validMs = validMs
    },
    get challengePort() {
      return state.challengePort
    },
    set challengePort(port) {
      state.challengePort = port
    },
    directoryUrl: `${base}/directory`,
    root: issuer.root,
    issued,
    get accounts() {
      return accounts.size
    },
    get contacts() {
      return [...accounts.values()].at(-1)?.contact ?? []
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
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

async function getPlain(port: number, host: string, path: string): Promise<string> {
  const asked = request({ host: '127.0.0.1', port, path, headers: { host }, agent: false })
  asked.end()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  return (await buffer(answer)).toString()
}

async function createIssuer() {
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
    async issue(host: string, csr: Pkcs10CertificateRequest, validMs: number): Promise<string> {
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
