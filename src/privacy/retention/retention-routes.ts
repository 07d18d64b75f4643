import type { ResourceDeps } from '../../http/route/resource.ts'
import { type Route, routesOf } from '../../http/route/route.ts'
import { changeKept, type KeptChanges, readKept } from './change-retention.ts'
import { installationPeriods } from './periods.ts'
import { keptToJson, Retention, RetentionChange } from './retention-schemas.ts'

type Deps = Pick<ResourceDeps, 'config' | 'db' | 'clock'>

const { route } = routesOf<Deps>()

const DESCRIPTION = [
  'How long the team stores each kind of data: a number of days, such as `30d`, or `forever`.',
  'A period starts when an email is accepted (or at its scheduled time, if later), when an event happens, or when a webhook is sent.',
  'Data is kept at least this long and is mostly deleted in whole weeks. Emails are kept until their delivery ends.',
].join(' ')

const common = { area: 'retention', permission: 'full' } as const
const responses = { 200: { description: 'The periods in force.', schema: Retention } }

const getRetention = route('GET', '/retention', {
  ...common,
  operationId: 'getRetention',
  summary: 'Get retention periods',
  description: DESCRIPTION,
  responses,
  async handle({ caller, deps: { db, config } }) {
    return { status: 200, json: keptToJson(await readKept(db, installationPeriods(config), caller.teamId)) }
  },
})

const changeRetention = route('PATCH', '/retention', {
  ...common,
  operationId: 'updateRetention',
  action: 'retention.update',
  summary: 'Change retention periods',
  description:
    'Periods cannot exceed `limits`, which the operator sets. Data older than a shortened period is permanently deleted within hours.',
  body: RetentionChange,
  responses,
  async handle({ caller, body, audited, deps: { clock, config } }) {
    const installation = installationPeriods(config)
    const changes: KeptChanges = body
    const kept = await audited.transaction((tx) =>
      changeKept(tx, installation, caller.teamId, changes, clock.now()),
    )
    return { status: 200, json: keptToJson(kept) }
  },
})

export const retentionRoutes: readonly Route<Deps>[] = [getRetention, changeRetention]
