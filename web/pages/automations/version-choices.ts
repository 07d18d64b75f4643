/** The API lists as many versions. */
const VERSIONS_MAX = 100

/** Returns the versions of an automation for a choice, newest first. */
export function versionChoices(current: number): { value: string; label: string }[] {
  return Array.from({ length: Math.min(current, VERSIONS_MAX) }, (_, index) => {
    const version = current - index
    return { value: String(version), label: `Version ${version}${index === 0 ? ' (current)' : ''}` }
  })
}
