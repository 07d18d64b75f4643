import type { PlanName } from '../../access/plans.ts'
import { simulatedOutcome } from '../../classification/simulator.ts'
import { arrays } from '../../db/arrays.ts'
import type { Db } from '../../db/db-types.ts'
import type { HashAddress } from '../../lib/crypto/erased-address.ts'
import { scopeText, type UnsubscribeScope } from '../request/unsubscribe-scope.ts'
import type { Recipient } from '../validate/read-addresses.ts'
import type { AcceptRequest, Submission } from './accept-types.ts'

/** Facts from the database about the senders and recipients of a batch. */
export interface Facts {
  /** Maps `team/domain` to the id of the verified domain. */
  domainIds: Map<string, string>
  /** `team/address key` of suppressed recipients. */
  suppressed: Set<string>
  teams: Map<string, TeamFacts>
  /**
   * `team/template/stamp` of the published templates in their current version, among those that the emails were
   * built from.
   */
  templates: Set<string>
  /** `team/list` of the lists that exist, among those that recipients can unsubscribe from. */
  lists: Set<string>
  /** `team/scope/address key` of recipients that unsubscribed from the scope of an email. */
  unsubscribed: Set<string>
}

export interface TeamFacts {
  plan: PlanName
  isSendingPaused: boolean
}

interface FactRow {
  kind: 'domain' | 'team' | 'suppression' | 'template' | 'list' | 'unsubscription'
  teamId: string
  value: string
  domainId: string
  sendingPausedAt: Date | null
}

/** The keys that a batch looks up. */
interface LookupKeys {
  /** Recipients: `addresses[n]` belongs to `teams[n]`. */
  teams: string[]
  addresses: string[]
  domains: Set<string>
  templates: Map<string, { teamId: string; id: string }>
  scopes: { teamId: string; scope: string; email: string; listId: string | null }[]
}

/**
 * Looks up the facts of a whole batch in one query. Also looks up the hash of each address, because entries about
 * erased people hold hashes. The subselects hide the lengths of the arrays from the planner. Otherwise a custom plan
 * for one value would look cheaper than the generic plan, which assumes ten, and PostgreSQL would plan the statement
 * again for each email that arrives alone.
 */
export async function lookUpFacts(
  db: Db,
  hashAddress: HashAddress,
  items: readonly AcceptRequest[],
): Promise<Facts> {
  const { teams, addresses, domains, templates, scopes } = collectKeys(items)
  const hashes = addresses.map((address, index) => hashAddress(teams[index] as string, address))
  const rows = await db.query<FactRow>(
    `select 'domain' as kind, v.team_id, v.name as value, v.domain_id, null::timestamptz as sending_paused_at
     from verified_domain v
     where v.name = any ((select $1::text[])::text[])
     union all
     select 'team', t.id, t.plan, null, t.sending_paused_at
     from team t
     where t.id = any ((select $4::uuid[])::uuid[])
     union all
     select 'suppression', s.team_id, s.email, null, null
     from unnest((select $2::uuid[]), $3::text[]) as k (team_id, email)
     join suppression s on s.team_id = k.team_id and s.email = k.email
     union all
     select 'suppression', k.team_id, k.email, null, null
     from unnest((select $2::uuid[]), $3::text[], $11::text[]) as k (team_id, email, hash)
     join suppression s on s.team_id = k.team_id and s.email = k.hash
     union all
     -- The stamp changes with either row, so a match proves that the rendered template is current
     -- (template-cache.ts).
     select 'template', t.team_id, t.id::text || '/' || t.xmin::text || '/' || s.xmin::text, null, null
     from unnest((select $5::uuid[]), $6::uuid[]) as k (team_id, id)
     join template t on t.team_id = k.team_id and t.id = k.id
     join sender s on s.team_id = t.team_id and s.id = t.sender_id
     where t.status = 'published'
     union all
     select 'list', l.team_id, l.id::text, null, null
     from unnest((select $7::uuid[]), $8::uuid[]) as k (team_id, id)
     join list l on l.team_id = k.team_id and l.id = k.id
     union all
     select 'unsubscription', u.team_id, u.scope || '/' || u.email, null, null
     from unnest((select $7::uuid[]), $9::text[], $10::text[]) as k (team_id, scope, email)
     join unsubscription u on u.team_id = k.team_id and u.scope = k.scope and u.email = k.email
     union all
     select 'unsubscription', k.team_id, k.scope || '/' || k.email, null, null
     from unnest((select $7::uuid[]), $9::text[], $10::text[], $12::text[]) as k (team_id, scope, email, hash)
     join unsubscription u on u.team_id = k.team_id and u.scope = k.scope and u.email = k.hash`,
    [
      arrays.text([...domains]),
      arrays.uuid(teams),
      arrays.text(addresses),
      arrays.uuid([...new Set(items.map((item) => item.submitter.teamId))]),
      arrays.uuid([...templates.values()].map(({ teamId }) => teamId)),
      arrays.uuid([...templates.values()].map(({ id }) => id)),
      arrays.uuid(scopes.map(({ teamId }) => teamId)),
      arrays.uuid(scopes.map(({ listId }) => listId)),
      arrays.text(scopes.map(({ scope }) => scope)),
      arrays.text(scopes.map(({ email }) => email)),
      arrays.text(hashes),
      arrays.text(scopes.map(({ teamId, email }) => hashAddress(teamId, email))),
    ],
  )
  return toFacts(rows)
}

function collectKeys(items: readonly AcceptRequest[]): LookupKeys {
  const keys: LookupKeys = { teams: [], addresses: [], domains: new Set(), templates: new Map(), scopes: [] }
  for (const { submitter, submissions } of items) {
    const { teamId } = submitter
    for (const { recipients, senderDomains, ownMessageId, template, unsubscribe } of submissions) {
      if (ownMessageId !== null) keys.domains.add(ownMessageId.domain)
      if (unsubscribe !== null) keys.scopes.push(scopeKey(teamId, unsubscribe, recipients))
      if (template !== null) keys.templates.set(`${teamId}/${template.id}`, { teamId, id: template.id })
      for (const domain of senderDomains) keys.domains.add(domain.name)
      for (const recipient of recipients) {
        keys.teams.push(teamId)
        keys.addresses.push(recipient.key)
      }
    }
  }
  return keys
}

function scopeKey(teamId: string, scope: UnsubscribeScope, recipients: readonly Recipient[]) {
  const listId = scope.kind === 'list' ? scope.listId : null
  return { teamId, scope: scopeText(scope), email: recipients[0]?.key ?? '', listId }
}

function toFacts(rows: readonly FactRow[]): Facts {
  const facts: Facts = {
    domainIds: new Map(),
    suppressed: new Set(),
    teams: new Map(),
    templates: new Set(),
    lists: new Set(),
    unsubscribed: new Set(),
  }
  for (const row of rows) {
    const key = `${row.teamId}/${row.value}`
    if (row.kind === 'domain') facts.domainIds.set(key, row.domainId)
    else if (row.kind === 'suppression') facts.suppressed.add(key)
    else if (row.kind === 'template') facts.templates.add(key)
    else if (row.kind === 'list') facts.lists.add(key)
    else if (row.kind === 'unsubscription') facts.unsubscribed.add(key)
    else {
      const plan = row.value as PlanName
      facts.teams.set(row.teamId, { plan, isSendingPaused: row.sendingPausedAt !== null })
    }
  }
  return facts
}

/** Returns whether the recipient receives no mail: suppressed, unsubscribed, or simulated as suppressed. */
export function isSuppressed(item: Submission, teamId: string, addressKey: string, facts: Facts): boolean {
  if (facts.suppressed.has(`${teamId}/${addressKey}`)) return true
  return isUnsubscribed(item, teamId, addressKey, facts) || simulatedOutcome(addressKey) === 'suppressed'
}

/** Returns whether the recipient unsubscribed from the scope of the email. */
export function isUnsubscribed(
  { unsubscribe }: Submission,
  teamId: string,
  addressKey: string,
  facts: Facts,
): boolean {
  return unsubscribe !== null && facts.unsubscribed.has(`${teamId}/${scopeText(unsubscribe)}/${addressKey}`)
}

/** Counts the recipients that use quota: those neither suppressed nor simulated. */
export function countBillable(item: Submission, teamId: string, facts: Facts): number {
  let count = 0
  for (const { key } of item.recipients) {
    if (!isSuppressed(item, teamId, key, facts) && simulatedOutcome(key) === null) count++
  }
  return count
}
