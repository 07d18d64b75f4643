import { type Route, routesOf } from '../http/route/route.ts'
import { formatTime } from '../lib/time/format-time.ts'
import { ruleToJson, ShapingRecord } from './operator-shaping-schemas.ts'
import type { OperatorView } from './operator-view.ts'

interface Deps {
  operatorView: OperatorView
}

const { route } = routesOf<Deps>()

const getShaping = route('GET', '/operator/shaping', {
  area: 'operator',
  permission: 'operator',
  operationId: 'getShaping',
  summary: 'Get the shaping rules',
  description:
    'The rules of the responding process. SIGHUP reloads the file; an invalid file changes nothing.',
  responses: {
    200: { description: 'The rules of the file, then the built-in ones.', schema: ShapingRecord },
  },
  async handle({ deps: { operatorView } }) {
    const { file, loadedAt, failure, probesSeconds, rules } = await operatorView.shaping()
    const json = {
      object: 'shaping',
      file,
      loaded_at: formatTime(loadedAt),
      failure: failure === null ? null : { at: formatTime(failure.at), message: failure.message },
      probes_seconds: probesSeconds,
      rules: rules.map(ruleToJson),
    }
    return { status: 200, json }
  },
})

export const operatorShapingRoutes: readonly Route<Deps>[] = [getShaping]
