import Type from 'typebox'
import { ADDRESS_CHARS_MAX } from '../http/route/schemas.ts'
import type { HashAddress } from '../lib/crypto/erased-address.ts'
import { readAddressKey } from '../mime/address.ts'
import type { SuppressionFilter } from './list-suppressions-queries.ts'
import { REASONS } from './suppression-schemas.ts'
import { writingsOf } from './suppressions.ts'
import type { SuppressionReason } from './suppressions-queries.ts'

/** The filters of the list and the export. */
export const SuppressionFilters = {
  reason: Type.Optional(Type.Enum([...REASONS], { description: 'Suppressions with this reason.' })),
  origin: Type.Optional(Type.Enum([...REASONS], { description: 'Alias of `reason`.' })),
  email: Type.Optional(
    Type.String({ maxLength: ADDRESS_CHARS_MAX, description: 'Suppression of this address.' }),
  ),
  q: Type.Optional(Type.String({ maxLength: 255, description: 'Start of the address, case-insensitive.' })),
}

/** Returns the filters of a request for the list or the export. */
export function readFilter(
  query: { reason?: SuppressionReason; origin?: SuppressionReason; email?: string; q?: string },
  hashAddress: HashAddress,
  teamId: string,
): SuppressionFilter {
  const { reason = query.origin, email, q } = query
  const prefix = q?.trim().normalize('NFC').toLowerCase() ?? ''
  return {
    ...(reason === undefined ? {} : { reason }),
    // Text that is not an address matches no entry.
    ...(email === undefined ? {} : { emails: writingsOf(hashAddress, teamId, readAddressKey(email)) }),
    ...(prefix === '' ? {} : { prefix }),
  }
}
