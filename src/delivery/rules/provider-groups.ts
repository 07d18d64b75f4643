import type { MxHost } from '../../lib/dns/mx.ts'

export const PROVIDER_GROUPS = ['google', 'microsoft', 'yahoo', 'apple', 'other'] as const

/** Mailbox providers that rate a source address as one, over all the domains that they host. */
export type ProviderGroup = (typeof PROVIDER_GROUPS)[number]

/** Suffixes of their mail servers, which also serve hosted domains. */
const SUFFIXES: readonly (readonly [string, ProviderGroup])[] = [
  ['google.com', 'google'],
  ['googlemail.com', 'google'],
  ['outlook.com', 'microsoft'],
  ['hotmail.com', 'microsoft'],
  ['mx.microsoft', 'microsoft'],
  ['yahoodns.net', 'yahoo'],
  ['icloud.com', 'apple'],
]

/**
 * Returns the group of an MX set: that of its first host, because a backup elsewhere does not show who hosts the
 * mailbox.
 */
export function providerGroupOf(hosts: readonly MxHost[]): ProviderGroup {
  const first = hosts[0]?.name ?? ''
  const row = SUFFIXES.find(([suffix]) => first === suffix || first.endsWith(`.${suffix}`))
  return row?.[1] ?? 'other'
}
