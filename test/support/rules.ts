import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

export interface TestRules {
  path: string
  write(rules: unknown): void
}

/** Creates a rules file, which is removed after the test. Unreachable sites are probed after 200 ms. */
export function givenRules(rules: Record<string, unknown> = {}): TestRules {
  const file = makeRules(rules)
  onTestFinished(() => file.remove())
  return file
}

/** Creates a rules file that the caller removes. */
export function makeRules(rules: Record<string, unknown> = {}): TestRules & { remove(): void } {
  const directory = mkdtempSync(join(tmpdir(), 'sendwright-rules-'))
  const path = join(directory, 'rules.json')
  const write = (content: unknown) =>
    writeFileSync(
      path,
      typeof content === 'string' ? content : JSON.stringify({ probes: ['200ms'], ...(content as object) }),
    )
  write(rules)
  return { path, write, remove: () => rmSync(directory, { recursive: true }) }
}
