import { type Claim, findAddress, findAddresses } from './claim.ts'
import { type Fields, findField, readSection } from './fields.ts'
import { findQuotedReply } from './quoted-reply.ts'
import { refusedAtRcpt, stageOf } from './stage-of.ts'
import { findPassages } from './words.ts'

const CONTEXT_CHARS_MAX = 4000
const STATUS_FIELD =
  /^[ \t>]{0,8}(?:(?:Final|Original)-Recipient|Reporting-MTA|Received-From-MTA|Remote-MTA|Action|Status|X-[\w-]+)[ \t]*:[^\n]*$/gim

/** Adds details from the text of a DSN that its fields lack: the command that was answered, and the server's reply. */
export function enrichClaims(claims: readonly Claim[], text: string): Claim[] {
  // Fields in the text have already been read.
  const words = text.replace(STATUS_FIELD, '')
  const passages = new Map(
    findPassages(words, new Set()).map(({ address, text }) => [address.toLowerCase(), text]),
  )
  const isOne = claims.length === 1
  const refused = refusedAtRcpt(words)
  return claims.map((claim) => {
    const own = passages.get((claim.address ?? '').toLowerCase()) ?? ''
    const whole = isOne ? words.slice(0, CONTEXT_CHARS_MAX) : ''
    const reply = claim.diagnostic === '' ? (findQuotedReply(own) ?? findQuotedReply(whole)) : null
    return {
      ...claim,
      diagnostic: reply ?? claim.diagnostic,
      context: [...claim.context, own, whole].filter((text) => text.trim() !== ''),
      stage:
        stageOf(claim.diagnostic) ??
        (refused.has((claim.address ?? '').toLowerCase()) ? 'rcpt' : (stageOf(own) ?? stageOf(whole))),
    }
  })
}

/**
 * Replaces a claim without an address with the recipient in the headers: a file or program that an address led to is
 * not a recipient.
 */
export function nameAddressees(
  claims: readonly Claim[],
  fields: Fields,
  returned: string | null,
): readonly Claim[] {
  const [claim] = claims
  if (claims.length !== 1 || claim === undefined || claim.address?.includes('@') === true) return claims
  const named = findAddresses(findField(fields, 'x-failed-recipients') ?? '')[0]
  const to = returned === null ? null : findAddress(findField(readSection(returned).fields, 'to') ?? '')
  return [{ ...claim, address: named ?? to ?? claim.address }]
}
