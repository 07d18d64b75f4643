import { findNewestIds } from '../../audience/contacts/list-contacts-queries.ts'
import type { Db } from '../../db/db-types.ts'
import { scopeText } from '../../emails/request/unsubscribe-scope.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { findTeam } from '../../teams/teams-queries.ts'
import { TEMPLATE_PARTS } from '../../templates/render-template.ts'
import { type FrozenAudience, scopeOf } from '../audience/audience.ts'
import { audienceCondition } from '../audience/audience-condition.ts'
import { getsMail } from '../audience/count-audience-queries.ts'
import { freezeAudience } from '../audience/freeze-audience.ts'
import { findObstacles } from '../campaigns.ts'
import type { Campaign } from '../campaigns-queries.ts'
import { valuesFor } from './compile-content.ts'
import { readContactValues } from './contact-values-queries.ts'
import { type CampaignCheck, checkContent } from './content-checks.ts'
import { isDomainVerified } from './domain-check-queries.ts'
import { NOBODY, type Renderable, readRenderable, renderInert } from './preview-campaign.ts'

interface Deps {
  db: Db
  /** For searches among contacts. */
  lists: Db
  clock: Clock
  publicUrl: string
}

/** The most contacts whose values are looked at. */
const SAMPLE_COUNT = 1000

/** Returns what to mend in a campaign, errors first. Nothing to mend: an empty list. */
export async function checkCampaign(deps: Deps, campaign: Campaign): Promise<CampaignCheck[]> {
  const { db, clock, publicUrl } = deps
  const { obstacles, audience } = await db.transaction(async (tx) => ({
    obstacles: await findObstacles(tx, { ...campaign, status: 'draft' }, clock.now()),
    audience: (await freezeAudience(tx, campaign.teamId, campaign.audience)).audience,
  }))
  const found = Object.values(obstacles).flatMap((messages) =>
    messages.map((message): CampaignCheck => ({ code: 'incomplete', severity: 'error', message })),
  )
  const renderable = await readRenderable(db, campaign)
  found.push(...(await checkSending(db, campaign.teamId, renderable)))
  if (audience.include.length > 0) found.push(...(await checkContacts(deps, campaign, audience, renderable)))
  const rendered = await renderInert(renderable, NOBODY, publicUrl)
  return [...found, ...(await checkContent(renderable.source, rendered))]
}

/** Checks what pauses a campaign as soon as it begins. */
async function checkSending(db: Db, teamId: string, { source }: Renderable): Promise<CampaignCheck[]> {
  const found: CampaignCheck[] = []
  const { sender } = source
  if (sender !== null && !(await isDomainVerified(db, teamId, sender.domainName))) {
    const message = `The domain of the sender, ${sender.domainName}, is not verified.`
    found.push({ code: 'unverified_domain', severity: 'error', message })
  }
  if ((await findTeam(db, teamId))?.sendingPausedAt != null) {
    found.push({
      code: 'sending_paused',
      severity: 'error',
      message: 'Sending is paused for this account.',
    })
  }
  return found
}

/** Counts the contacts that would get no email because they lack a value. */
async function checkContacts(
  { lists }: Deps,
  { teamId }: Campaign,
  audience: FrozenAudience,
  renderable: Renderable,
): Promise<CampaignCheck[]> {
  const condition = await audienceCondition(lists, teamId, audience)
  const getting = getsMail(scopeText(scopeOf(audience)))
  const ids = await findNewestIds(lists, teamId, [condition, getting], SAMPLE_COUNT + 1)
  if (ids.length === 0) {
    const message = 'Nobody would get this campaign: the audience is empty, or everybody in it is left out.'
    return [{ code: 'empty_audience', severity: 'warning', message }]
  }
  const lacking = await countLacking(lists, teamId, ids.slice(0, SAMPLE_COUNT), renderable)
  const total = ids.length > SAMPLE_COUNT ? `a sample of ${SAMPLE_COUNT}` : `${ids.length}`
  return [...lacking].map(([key, count]) => ({
    code: 'missing_values',
    severity: 'warning',
    message: `${count} of ${total} contacts have no value for ${key} and would get no email. Give it a fallback: {{{${key}|fallback}}}.`,
  }))
}

/** Counts the contacts without a value, by the key of each variable that has no fallback. */
async function countLacking(
  db: Db,
  teamId: string,
  ids: readonly string[],
  { source, content, fallbacks }: Renderable,
): Promise<Map<string, number>> {
  const defined = new Set(
    source.variables.flatMap(({ key, fallback_value: fallback }) => (fallback === null ? [] : [key])),
  )
  const slots = TEMPLATE_PARTS.flatMap((part) => content.compiled[part]?.slots ?? [])
  const keys = new Set(
    slots.flatMap(({ key, fallback }) => (fallback !== null || defined.has(key) ? [] : [key])),
  )
  const lacking = new Map<string, number>()
  if (keys.size === 0) return lacking
  for (const contact of await readContactValues(db, teamId, { ids }, content.propertyKeys)) {
    const given = valuesFor(content, contact, fallbacks, '-')
    for (const key of keys) {
      if (!Object.hasOwn(given, key)) lacking.set(key, (lacking.get(key) ?? 0) + 1)
    }
  }
  return lacking
}
