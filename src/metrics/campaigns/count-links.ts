import type { Tx } from '../../db/db-types.ts'
import { compareTexts } from '../../lib/text/compare-texts.ts'
import type { UncountedEvent } from '../counting/metric-feed-queries.ts'
import { type Click, findKnownLinks, type LinkRow, OTHER_LINKS, readClicks } from './link-counts-queries.ts'

/** The links of a campaign with counts of their own: a link with a value for each person must not fill the table. */
export const LINKS_MAX = 300

/** Returns the counts of the links that events clicked in emails of campaigns, in write order. */
export async function countLinks(
  tx: Tx,
  events: readonly UncountedEvent[],
  campaigns: ReadonlyMap<string, string>,
): Promise<LinkRow[]> {
  const clicked = events.filter(({ type, subjectId }) => type === 'email.clicked' && campaigns.has(subjectId))
  const teams = new Map(clicked.map(({ subjectId, teamId }) => [subjectId, teamId]))
  const rows = new Map<string, LinkRow>()
  for (const click of await readClicks(tx, clicked)) {
    const teamId = teams.get(click.emailId)
    const campaignId = campaigns.get(click.emailId)
    if (teamId !== undefined && campaignId !== undefined)
      addClick(rows, { teamId, campaignId, linkId: click.linkId, url: click.url }, click)
  }
  return boundLinks(tx, [...rows.values()].sort(byPlace))
}

type Place = Pick<LinkRow, 'teamId' | 'campaignId' | 'linkId' | 'url'>

function rowAt(rows: Map<string, LinkRow>, place: Place): LinkRow {
  const name = `${place.campaignId} ${place.linkId}`
  const row = rows.get(name) ?? { ...place, clicked: 0, clickedUnique: 0, clickedMachine: 0 }
  rows.set(name, row)
  return row
}

function addClick(rows: Map<string, LinkRow>, place: Place, { isMachine, isFirst }: Click): void {
  const row = rowAt(rows, place)
  if (isMachine) row.clickedMachine++
  else row.clicked++
  if (isFirst) row.clickedUnique++
}

/** Counts the links for which a campaign has no room as one. */
async function boundLinks(tx: Tx, rows: readonly LinkRow[]): Promise<LinkRow[]> {
  if (rows.length === 0) return []
  const counts = new Map<string, number>()
  const known = new Set<string>()
  for (const { campaignId, linkId, isKnown, count } of await findKnownLinks(tx, rows)) {
    counts.set(campaignId, count)
    if (isKnown) known.add(`${campaignId} ${linkId}`)
  }
  const bounded = new Map<string, LinkRow>()
  for (const row of rows) {
    const count = counts.get(row.campaignId) ?? 0
    const isKnown = known.has(`${row.campaignId} ${row.linkId}`)
    const hasRoom = isKnown || count < LINKS_MAX
    if (hasRoom && !isKnown) counts.set(row.campaignId, count + 1)
    const place = hasRoom ? row : { ...row, linkId: OTHER_LINKS, url: null }
    const { teamId, campaignId, linkId, url } = place
    const sum = rowAt(bounded, { teamId, campaignId, linkId, url })
    sum.clicked += row.clicked
    sum.clickedUnique += row.clickedUnique
    sum.clickedMachine += row.clickedMachine
  }
  return [...bounded.values()].sort(byPlace)
}

function byPlace(a: LinkRow, b: LinkRow): number {
  return (
    compareTexts(a.teamId, b.teamId) ||
    compareTexts(a.campaignId, b.campaignId) ||
    compareTexts(a.linkId, b.linkId)
  )
}
