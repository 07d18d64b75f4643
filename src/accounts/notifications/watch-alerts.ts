import { leastRole } from '../../access/permissions.ts'
import type { PlanName } from '../../access/plans.ts'
import { isAtLeast } from '../../access/roles.ts'
import type { Db, Tx } from '../../db/db-types.ts'
import { newId } from '../../lib/ids.ts'
import type { Log } from '../../lib/log.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Alert, AlertKind } from '../../metrics/alerts/alert.ts'
import { findAlerts } from '../../metrics/alerts/find-alerts.ts'
import type { GuardLimits } from '../../metrics/alerts/guard.ts'
import { findTeam } from '../../teams/teams-queries.ts'
import { isWorthMessage } from './alert-kinds.ts'
import { listEnabledChannels, type RoledChannel, saveChannel } from './channels-queries.ts'
import { type AnnouncedAlert, compareAlerts, isDue } from './compare-alerts.ts'
import { insertMessage } from './messages-queries.ts'
import {
  type AlertWatch,
  claimWatches,
  deleteAnnounced,
  deleteWatch,
  listAnnounced,
  lockWatch,
  upsertAnnounced,
} from './watches-queries.ts'

export interface WatchDeps {
  db: Db
  clock: Clock
  log: Log
  limits: GuardLimits
}

/** How often the alerts of one team are compared, if not too many teams are watched. */
const EVERY_MS = 60_000

/**
 * Compares the alerts of up to `countMax` due teams with those that were announced, and writes messages about the
 * differences. Messages are written in the transaction that records them as told, so that a killed process neither
 * loses nor repeats one.
 */
export async function watchAlerts(deps: WatchDeps, countMax: number): Promise<void> {
  const now = deps.clock.now()
  const due = await claimWatches(deps.db, now, new Date(now.getTime() + EVERY_MS), countMax)
  for (const watch of due) {
    await watchTeam(deps, watch, now).catch((error: unknown) => {
      deps.log.warn({ err: error, team_id: watch.teamId }, 'the alerts of a team were not compared')
    })
  }
}

async function watchTeam({ db, limits }: WatchDeps, watch: AlertWatch, now: Date): Promise<void> {
  const { teamId } = watch
  const team = await findTeam(db, teamId)
  const teamAlerts =
    team === null
      ? []
      : await findAlerts(db, { teamId, domainId: null, plan: team.plan as PlanName }, limits, now)
  const alerts = teamAlerts.filter((alert) => isWorthMessage(alert, now))
  await db.transaction(async (tx) => {
    if (!(await lockWatch(tx, watch))) return
    const channels = (await listEnabledChannels(tx, teamId)).filter(isCurrent)
    if (team === null || channels.length === 0) return deleteWatch(tx, teamId)
    const announced = await listAnnounced(tx, teamId)
    for (const channel of channels) {
      const announcedHere = announced.filter(({ channelId }) => channelId === channel.id)
      await notifyChannel(tx, channel, alerts, announcedHere, now)
    }
  })
}

/** A person who left the team gets nothing more. */
function isCurrent({ type, role }: RoledChannel): boolean {
  return type === 'webhook' || role !== null
}

async function notifyChannel(
  tx: Tx,
  channel: RoledChannel,
  alerts: readonly Alert[],
  announced: readonly AnnouncedAlert[],
  now: Date,
): Promise<void> {
  const { teamId, id } = channel
  const kinds = channel.kinds.filter((kind) => maySee(channel, kind))
  const { content, changed, forgotten } = compareAlerts({ ...channel, kinds }, alerts, announced, now)
  await upsertAnnounced(tx, teamId, id, changed)
  await deleteAnnounced(tx, teamId, id, forgotten)
  const isFirst = channel.startedAt === null && isDue(channel, now)
  if (content !== null) {
    const reason = isFirst ? 'summary' : 'change'
    await insertMessage(tx, {
      teamId,
      id: newId(now.getTime()),
      channelId: id,
      reason,
      content,
      createdAt: now,
    })
  }
  if (content === null && !isFirst) return
  const lastMessageAt = content === null ? channel.lastMessageAt : now
  await saveChannel(tx, { ...channel, startedAt: channel.startedAt ?? now, lastMessageAt })
}

/** Alerts about API keys are for those who may see API keys. The webhook's URL was set by an admin. */
function maySee({ type, role }: RoledChannel, kind: AlertKind): boolean {
  if (kind !== 'api_key_expiring' || type === 'webhook') return true
  return role !== null && isAtLeast(role, leastRole({ method: 'GET', area: 'apiKeys' }))
}
