import { isIPv4, isIPv6 } from 'node:net'
import {
  type Answer,
  AUTHENTIC_DATA,
  DNSSEC_OK,
  decode,
  encode,
  RECURSION_DESIRED,
  type StringAnswer,
  TRUNCATED_RESPONSE,
} from 'dns-packet'

/** The content of each record type. Host names are lower case, without a trailing dot; the root is the empty name. */
export interface DnsRecord {
  A: string
  AAAA: string
  CNAME: string
  PTR: string
  MX: { name: string; preference: number }
  /** Its strings joined (RFC 7208 section 3.3), each byte one character. */
  TXT: string
  /** RFC 6698 section 2.1. */
  TLSA: { usage: number; selector: number; matchingType: number; certificate: Buffer }
}

export type DnsType = keyof DnsRecord

/** The content of one response for one question. */
export type DnsReading<T extends DnsType> =
  | { kind: 'records'; records: DnsRecord[T][]; ttlSeconds: number; canonicalName: string }
  /** Its aliases lead to a name that the response does not cover and that must be queried. */
  | { kind: 'alias'; canonicalName: string; ttlSeconds: number }
  /** `ttlSeconds` of RFC 2308 section 5; null when the server sent no SOA. */
  | { kind: 'no_data' | 'no_domain'; ttlSeconds: number | null; canonicalName: string }
  /** The server cannot answer. */
  | { kind: 'failed'; reason: string; rcode: number }

export interface DnsMessage<T extends DnsType> {
  reading: DnsReading<T>
  /** RFC 4035 section 3.2.3: the resolver states that it validated everything. */
  authenticated: boolean
}

/** Fits the smallest path MTU on today's Internet without fragments, which can be forged (DNS flag day 2020). */
const UDP_BYTES_MAX = 1232
const HEADER_BYTES = 12
/** More than any honest answer holds, and few enough to bound the cost of a hostile one. */
const RECORDS_MAX = 4000
const CNAME_HOPS_MAX = 16
const NAME_LENGTH_MAX = 253
const LABEL_LENGTH_MAX = 63
/** RFC 2181 section 8: a TTL with the highest bit set is zero. */
const TTL_SECONDS_MAX = 2 ** 31 - 1

const FORMERR = 1
const NOTIMP = 4
const RCODES: Record<number, string> = { 1: 'FORMERR', 2: 'SERVFAIL', 4: 'NOTIMP', 5: 'REFUSED' }

/** Returns whether a name can be encoded in a query. A name that cannot does not exist. */
export function isDnsName(name: string): boolean {
  if (name.length > NAME_LENGTH_MAX || !/^[\x21-\x7e]+$/.test(name)) return false
  return name.split('.').every((label) => label.length > 0 && label.length <= LABEL_LENGTH_MAX)
}

export interface DnsQuestion {
  id: number
  /** A valid name by `isDnsName`. */
  name: string
  type: DnsType
  dnssec: boolean
  /** False for servers that do not support RFC 6891. */
  edns: boolean
}

/** Encodes one query for the wire (RFC 1035 section 4; EDNS: RFC 6891). */
export function encodeQuery({ id, name, type, dnssec, edns }: DnsQuestion): Buffer {
  return encode({
    type: 'query',
    id,
    // RFC 6840 section 5.7: AD in a query asks for AD in the response.
    flags: RECURSION_DESIRED | (dnssec ? AUTHENTIC_DATA : 0),
    questions: [{ name, type }],
    additionals: edns
      ? [
          {
            type: 'OPT',
            name: '.',
            udpPayloadSize: UDP_BYTES_MAX,
            flags: dnssec ? DNSSEC_OK : 0,
            extendedRcode: 0,
            ednsVersion: 0,
            flag_do: dnssec,
            options: [],
          },
        ]
      : [],
  })
}

/** Returns whether EDNS alone may have caused the failure: retry without it (RFC 6891 section 7). */
export function mayBeDueToEdns({ reading }: DnsMessage<DnsType>): boolean {
  return reading.kind === 'failed' && (reading.rcode === FORMERR || reading.rcode === NOTIMP)
}

/**
 * Parses a response. Returns null when it does not match the question (another id, name or type, not a response,
 * unreadable): it may be forged, and the right one may still come. `truncated`: retry over TCP.
 */
export function readResponse<T extends DnsType>(
  bytes: Buffer,
  question: DnsQuestion & { type: T },
): DnsMessage<T> | 'truncated' | null {
  if (bytes.length < HEADER_BYTES || countRecords(bytes) > RECORDS_MAX) return null
  const isTruncated = (bytes.readUInt16BE(2) & TRUNCATED_RESPONSE) !== 0
  const packet = decodeOrNull(isTruncated ? questionPart(bytes) : bytes)
  if (packet === null || !packet.flag_qr || packet.id !== question.id) return null
  const rcode = (packet.flags ?? 0) & 0xf
  const echoed = packet.questions ?? []
  // RFC 6891 section 7: a server may refuse a question without repeating it.
  const isBareRejection = echoed.length === 0 && (rcode === FORMERR || rcode === NOTIMP)
  if (!isBareRejection && !(echoed.length === 1 && isSame(echoed[0], question))) return null
  if (isTruncated) return 'truncated'
  const authenticated = question.dnssec && packet.flag_ad
  if (rcode !== 0 && rcode !== 3) {
    const word = RCODES[rcode] ?? `code ${rcode}`
    return { authenticated, reading: { kind: 'failed', reason: word, rcode } }
  }
  const authorities = packet.authorities ?? []
  const soaTtl = soaTtlOf(authorities)
  // An authoritative server that refers to others instead of answering is not a resolver.
  const isReferral = !packet.flag_ra && !packet.flag_aa && authorities.some(({ type }) => type === 'NS')
  const reading = follow(packet.answers ?? [], question, rcode === 3, soaTtl, isReferral)
  return { authenticated, reading }
}

/**
 * A truncated response may end in the middle of a record: ignore everything after the question (RFC 2181 section 9).
 */
function questionPart(bytes: Buffer): Buffer {
  const part = Buffer.from(bytes)
  for (const at of [6, 8, 10]) part.writeUInt16BE(0, at)
  return part
}

function decodeOrNull(bytes: Buffer) {
  try {
    return decode(bytes)
  } catch {
    return null
  }
}

function countRecords(bytes: Buffer): number {
  return [4, 6, 8, 10].reduce((sum, at) => sum + bytes.readUInt16BE(at), 0)
}

function isSame(echoed: { name: string; type: string } | undefined, { name, type }: DnsQuestion): boolean {
  return echoed !== undefined && echoed.type === type && normalName(echoed.name) === normalName(name)
}

function normalName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '')
}

function ttlOf({ ttl = 0 }: { ttl?: number | undefined }): number {
  return ttl > TTL_SECONDS_MAX ? 0 : ttl
}

/** RFC 2308 section 5: the lesser of the SOA's own TTL and its MINIMUM field. */
function soaTtlOf(authorities: readonly Answer[]): number | null {
  for (const record of authorities) {
    if (record.type === 'SOA') return Math.min(ttlOf(record), ttlOf({ ttl: record.data.minimum }))
  }
  return null
}

/** Follows the aliases from the queried name to the queried records. A loop of aliases means no data. */
function follow<T extends DnsType>(
  answers: readonly Answer[],
  { name, type }: { name: string; type: T },
  isNoDomain: boolean,
  soaTtl: number | null,
  isReferral: boolean,
): DnsReading<T> {
  const byName = Map.groupBy(answers.filter(isInternet), (answer) => normalName(answer.name))
  const seen = new Set<string>()
  let canonicalName = normalName(name)
  let ttlSeconds = TTL_SECONDS_MAX
  for (let hops = 0; hops <= CNAME_HOPS_MAX; hops++) {
    const here = byName.get(canonicalName) ?? []
    const matches = here.filter((answer) => answer.type === type)
    if (matches.length > 0) {
      ttlSeconds = Math.min(ttlSeconds, ...matches.map(ttlOf))
      return readRecords(matches, type, ttlSeconds, canonicalName)
    }
    const alias = here.find((answer) => answer.type === 'CNAME') as StringAnswer | undefined
    if (alias === undefined) {
      if (isNoDomain) return { kind: 'no_domain', ttlSeconds: soaTtl, canonicalName }
      if (soaTtl === null && seen.size > 0) return { kind: 'alias', canonicalName, ttlSeconds }
      if (isReferral) return { kind: 'failed', reason: 'a referral', rcode: 0 }
      return { kind: 'no_data', ttlSeconds: soaTtl, canonicalName }
    }
    seen.add(canonicalName)
    canonicalName = normalName(alias.data)
    ttlSeconds = Math.min(ttlSeconds, ttlOf(alias))
    if (seen.has(canonicalName)) break
  }
  return { kind: 'no_data', ttlSeconds: soaTtl, canonicalName }
}

type DataAnswer = Exclude<Answer, { type: 'OPT' }>

function isInternet(answer: Answer): answer is DataAnswer {
  return answer.type !== 'OPT' && (answer.class ?? 'IN') === 'IN'
}

/** Ignores a record without usable content (a truncated address). */
function readRecords<T extends DnsType>(
  answers: readonly DataAnswer[],
  type: T,
  ttlSeconds: number,
  canonicalName: string,
): DnsReading<T> {
  const records = answers
    .map((answer) => dataOf(answer))
    .filter((data): data is DnsRecord[T] => data !== null && data !== undefined)
  if (records.length > 0) return { kind: 'records', records, ttlSeconds, canonicalName }
  return { kind: 'failed', reason: `${type} records that cannot be read`, rcode: 0 }
}

function dataOf(answer: DataAnswer): DnsRecord[DnsType] | null {
  switch (answer.type) {
    case 'A':
      return isIPv4(answer.data) ? answer.data : null
    case 'AAAA':
      return isIPv6(answer.data) ? answer.data : null
    case 'CNAME':
    case 'PTR':
      return hostName(answer.data)
    case 'MX':
      return { name: hostName(answer.data.exchange), preference: answer.data.preference ?? 0 }
    case 'TXT':
      return [answer.data]
        .flat()
        .map((part) => (typeof part === 'string' ? part : part.toString('latin1')))
        .join('')
    case 'TLSA':
      return answer.data
    default:
      return null
  }
}

/** DNS names are bytes: those that no host name contains become a question mark, to be safe in logs and commands. */
function hostName(name: string): string {
  return normalName(name).replace(/[^a-z0-9._-]/g, '?')
}
