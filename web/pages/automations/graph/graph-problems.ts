import { ApiError } from '../../../api/errors.ts'
import { partOf, textOf } from './describe-problem.ts'
import type { EditedGraph } from './edit-graph.ts'

/** An error of the API, and the graph that it is about: paths in it count the steps of that graph. */
export interface GraphProblem extends EditedGraph {
  error: Error
}

/** The messages about a step, by the path in its config; those about the whole step have an empty one. */
export type StepProblems = ReadonlyMap<string, string>

const fieldsOf = ({ error }: GraphProblem) => (error instanceof ApiError ? Object.entries(error.fields) : [])

/**
 * Returns the messages by step; a message about a connection belongs to the step that it leaves. Those about a config that was
 * changed since are left out.
 * @param problem the error, with the graph that it is about
 */
export function problemsByStep(problem: GraphProblem, now: EditedGraph): Map<string, StepProblems> {
  const configs = new Map(now.steps.map(({ key, config }) => [key, JSON.stringify(config)]))
  const found = new Map<string, Map<string, string>>()
  for (const [path, messages] of fieldsOf(problem)) {
    const { step, field } = placeOf(path, problem)
    if (step === undefined || configs.get(step.key) !== JSON.stringify(step.config)) continue
    const problems = found.get(step.key) ?? new Map<string, string>()
    const before = problems.get(field)
    const texts = messages.map((message) => textOf(path, message))
    problems.set(field, [...(before === undefined ? [] : [before]), ...texts].join(' '))
    found.set(step.key, problems)
  }
  return found
}

function placeOf(path: string, { steps, connections }: EditedGraph) {
  const part = partOf(path)
  if (part === null) return { step: undefined, field: '' }
  if (part.list === 'steps') return { step: steps[part.index], field: part.field }
  const from = connections[part.index]?.from
  return { step: steps.find(({ key }) => key === from), field: '' }
}

/** Returns the messages about settings, by field. */
export function settingsProblemsOf(problem: GraphProblem): Map<string, string> {
  const prefix = 'settings.'
  return new Map(
    fieldsOf(problem).flatMap(([path, messages]) =>
      path.startsWith(prefix)
        ? [[path.slice(prefix.length), messages.map((message) => textOf(path, message)).join(' ')] as const]
        : [],
    ),
  )
}
