import type { Tx } from '../db/db-types.ts'
import { isEventType } from '../events/catalogue.ts'
import { beginToRead } from './following/read-segments.ts'
import { TRIGGER_EVENTS } from './following/triggers.ts'
import type { Graph, GraphSettings, Step } from './graph/graph-types.ts'
import { beginToFollow } from './rows/automation-feed-queries.ts'
import type { Automation } from './rows/automations-queries.ts'
import { beginClock, deleteClock } from './rows/clocks-queries.ts'
import { findAutomationVersions, insertAutomationVersion } from './rows/versions-queries.ts'

/**
 * Lets a complete automation begin runs: with a new version if its graph or settings differ from those of the last one. Returns the
 * automation with its version.
 */
export async function activate(tx: Tx, automation: Automation, now: Date): Promise<Automation> {
  const { teamId, id } = automation
  const graph = automation.graph as Graph
  const { settings } = automation
  await beginToFollow(tx, teamId)
  await beginTrigger(tx, automation, graph, now)
  const activeSince = automation.activeSince ?? now
  const [last] = await findAutomationVersions(tx, teamId, [{ automationId: id, version: automation.version }])
  const isSame = last !== undefined && textOf(last) === textOf({ graph, settings })
  if (isSame) return { ...automation, activeSince, pausedReason: null }
  const version = automation.version + 1
  const follows = followedTypes(graph, settings)
  await insertAutomationVersion(tx, teamId, {
    automationId: id,
    version,
    graph,
    settings,
    follows,
    createdAt: now,
  })
  return { ...automation, version, activeSince, pausedReason: null }
}

/** As PostgreSQL stores it, whatever the order of fields. */
function textOf({ graph, settings }: { graph: Graph; settings: GraphSettings }): string {
  return JSON.stringify(sorted({ graph, settings }))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, one]) => [key, sorted(one)] as const)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}

async function beginTrigger(
  tx: Tx,
  { teamId, id, activeSince }: Automation,
  graph: Graph,
  now: Date,
): Promise<void> {
  const trigger = triggerOf(graph)
  if (trigger?.config.type === 'segment_entered')
    await beginToRead(tx, teamId, trigger.config.segment_id, now)
  if (trigger?.config.type === 'date') await beginClock(tx, teamId, id, now, activeSince === null)
  else await deleteClock(tx, teamId, id)
}

function triggerOf({ steps }: Graph): Step<'trigger'> | undefined {
  return steps.find((step) => step.type === 'trigger')
}

/** Returns the types of events that a version asks about, besides those that end any run. */
export function followedTypes(graph: Graph, { exits }: GraphSettings): string[] {
  const trigger = triggerOf(graph)
  const names = [...exits, ...graph.steps.flatMap(occasionsOf)]
  const types = new Set<string>(trigger === undefined ? [] : TRIGGER_EVENTS[trigger.config.type])
  for (const { event_name: name, rule } of names) {
    if (name !== undefined) types.add(isEventType(name) ? name : 'contact.event')
    // A rule over the contact may hold after any change of it.
    if (rule !== undefined) for (const type of TRIGGER_EVENTS.segment_entered) types.add(type)
  }
  return [...types].sort()
}

function occasionsOf(step: Step): readonly { event_name?: string; rule?: unknown }[] {
  return step.type === 'wait_for_event' || step.type === 'goal' ? [step.config] : []
}
