import type { Automation } from '../../../api/records.ts'
import { stepWord } from './words.ts'

const PATH = /^(steps|connections)\.(\d+)(?:\.config)?(?:\.(.+))?$/

/** The step or connection that a path of the API names. */
interface ProblemPart {
  list: 'steps' | 'connections'
  /** Its place in the list. */
  index: number
  /** The path inside it, or inside its config; empty for all of it. */
  field: string
}

/** Returns the part of a graph that a path such as `steps.2.config.duration` names; null for paths of anything else. */
export function partOf(path: string): ProblemPart | null {
  const [, list, index, field = ''] = PATH.exec(path) ?? []
  return list === undefined ? null : { list: list as ProblemPart['list'], index: Number(index), field }
}

/** Returns a message of the API with the name of the field in place of its path: `The duration field is required.` */
export function textOf(path: string, message: string): string {
  const field = partOf(path)?.field ?? path.replace(/^settings\./, '')
  return message.replaceAll(`The ${path} field`, field === '' ? 'It' : `The ${field} field`)
}

/** Returns a message of the API about a graph, with the step in place of its path: `Wait (wait_1): The duration field is required.` */
export function describeProblem(
  path: string,
  message: string,
  { steps, connections }: Pick<Automation, 'steps' | 'connections'>,
): string {
  const part = partOf(path)
  if (part === null) return message
  const text = textOf(path, message)
  if (part.list === 'steps') {
    const step = steps[part.index]
    return step === undefined ? message : `${stepWord(step.type)} (${step.key}): ${text}`
  }
  const connection = connections[part.index]
  return connection === undefined ? message : `From ${connection.from} to ${connection.to}: ${text}`
}
