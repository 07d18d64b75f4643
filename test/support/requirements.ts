import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const PATH = join(import.meta.dirname, '..', '..', 'docs', 'requirements.md')

/** Returns the text of each requirement of docs/requirements.md by its id. Throws if an id occurs twice. */
export function readRequirements(): Map<string, string> {
  const requirements = new Map<string, string>()
  for (const [, id = '', text = ''] of readFileSync(PATH, 'utf8').matchAll(
    /^- \*\*([A-Z]{3}-\d+)\*\* (.+(?:\n {2}.+)*)$/gm,
  )) {
    if (requirements.has(id)) throw new Error(`${id} occurs twice in docs/requirements.md`)
    requirements.set(id, text.replaceAll(/\s+/g, ' '))
  }
  return requirements
}
