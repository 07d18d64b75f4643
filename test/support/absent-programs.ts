import type { Reporter, TestCase, TestModule } from 'vitest/node'

const SKIPPED = / \(skipped: (this machine has no .+); on Debian: apt-get install (.+)\)/

/**
 * Names tests that need a program. If it is absent, the name says so.
 * @param packages the packages of Debian that have the program
 */
export function titleOf(title: string, isAbsent: boolean, program: string, packages = program): string {
  if (!isAbsent) return title
  return `${title} (skipped: this machine has no ${program}; on Debian: apt-get install ${packages})`
}

/** Counts the tests by the missing program in their names, and returns a line for each program. */
export function describeSkipped(names: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const name of names) {
    const [, missing, packages] = SKIPPED.exec(name) ?? []
    // The others are those that the arguments of the run left out.
    if (missing === undefined) continue
    const reason = `${missing}. On Debian: apt-get install ${packages}`
    counts.set(reason, (counts.get(reason) ?? 0) + 1)
  }
  return [...counts].map(([reason, count]) => `${count} ${count === 1 ? 'test' : 'tests'} skipped: ${reason}`)
}

/** Says at the end of a run which tests were skipped, and what to install. */
export class AbsentPrograms implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')])
    for (const line of describeSkipped(skipped.map(({ fullName }: TestCase) => fullName))) console.log(line)
  }
}
