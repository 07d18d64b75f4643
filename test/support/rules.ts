import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

export interface TestRules {
  path: string
  write(rules: unknown): void
}

/** A rules file of the test's own; gone when the test has ended. Sites out of reach are asked again after 200 ms. */
export function givenRules(rules: Record<string, unknown> = {}): TestRules {
  const file = makeRules(rules)
  onTestFinished(() => file.remove())
  return file
}

/** The same for whoever removes it. */
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
