import type { EditedGraph } from './edit-graph.ts'

/** An error of the API, and the graph that it is about: paths in it count the steps of that graph. */
export interface GraphProblem extends EditedGraph {
  error: Error
}

/** The messages about a step, by the path in its config; those about the whole step have an empty one. */
export type StepProblems = ReadonlyMap<string, string>

const STEP_PATH = /^steps\.(\d+)(?:\.config)?(?:\.(.+))?$/
const CONNECTION_PATH = /^connections\.(\d+)/

/**
 * Returns the messages by step. Those about a config that was changed since are left out.
 * @param fields the messages of the API, by path
 * @param about the graph that they are about
 */
export function problemsByStep(
  fields: Readonly<Record<string, string[]>>,
  about: EditedGraph,
  now: EditedGraph,
): Map<string, StepProblems> {
  const configs = new Map(now.steps.map(({ key, config }) => [key, JSON.stringify(config)]))
  const found = new Map<string, Map<string, string>>()
  for (const [path, messages] of Object.entries(fields)) {
    const [, index = '', field = ''] = STEP_PATH.exec(path) ?? []
    const [, connection = ''] = CONNECTION_PATH.exec(path) ?? []
    const step = about.steps.find(({ key }, at) =>
      connection === '' ? String(at) === index : key === about.connections[Number(connection)]?.from,
    )
    if (step === undefined || configs.get(step.key) !== JSON.stringify(step.config)) continue
    const problems = found.get(step.key) ?? new Map<string, string>()
    const before = problems.get(field)
    problems.set(field, [...(before === undefined ? [] : [before]), ...messages].join(' '))
    found.set(step.key, problems)
  }
  return found
}
