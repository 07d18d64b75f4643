import type { Automation } from '../../../api/records.ts'
import { stepWord } from './words.ts'

const PATH = /^(steps|connections)\.(\d+)(?:\.(?:config\.)?(.+))?$/

/** Returns a message of the API about a graph, with the step in place of its path: `Wait (wait_1): The duration field is required.` */
export function describeProblem(
  path: string,
  message: string,
  { steps, connections }: Pick<Automation, 'steps' | 'connections'>,
): string {
  const [, part, index = '', field = ''] = PATH.exec(path) ?? []
  if (part === undefined) return message
  const text = message.replaceAll(
    `The ${path} field`,
    field === '' || field === 'config' ? 'It' : `The ${field} field`,
  )
  if (part === 'steps') {
    const step = steps[Number(index)]
    return step === undefined ? message : `${stepWord(step.type)} (${step.key}): ${text}`
  }
  const connection = connections[Number(index)]
  return connection === undefined ? message : `From ${connection.from} to ${connection.to}: ${text}`
}
