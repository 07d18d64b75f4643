import type { MxHost } from '../../lib/dns/mx.ts'

export const PROVIDER_GROUPS = ['google', 'microsoft', 'yahoo', 'apple', 'other'] as const

/** Mailbox providers that judge a sending address as one, over all the domains that they host. */
export type ProviderGroup = (typeof PROVIDER_GROUPS)[number]

/** Whose mail servers end like this, domains hosted there included. */
const SUFFIXES: readonly (readonly [string, ProviderGroup])[] = [
  ['google.com', 'google'],
  ['googlemail.com', 'google'],
  ['outlook.com', 'microsoft'],
  ['hotmail.com', 'microsoft'],
  ['mx.microsoft', 'microsoft'],
  ['yahoodns.net', 'yahoo'],
  ['icloud.com', 'apple'],
]

/** The group of an MX set: that of its first host, because a backup elsewhere says nothing of who reads the mail. */
export function providerGroupOf(hosts: readonly MxHost[]): ProviderGroup {
  const first = hosts[0]?.name ?? ''
  const row = SUFFIXES.find(([suffix]) => first === suffix || first.endsWith(`.${suffix}`))
  return row?.[1] ?? 'other'
}
