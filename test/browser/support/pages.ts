import type { Look } from './dashboard.ts'
import type { Sample } from './sample.ts'

/** A page as it is looked at: where it is, and what is done there first. */
export interface LookedAt {
  /** Of the files, for example `emails-filtered`. */
  name: string
  /** Below the team's path, or with `/app` in front. */
  path: string | ((sample: Sample) => string)
  look?: Pick<Look, 'role' | 'isOperator'>
}

/** Every page of the dashboard, in every state that looks different. */
export const PAGES: readonly LookedAt[] = [
  { name: 'login', path: '/app/login', look: { role: null } },
  { name: 'overview', path: '/' },
  { name: 'emails', path: '/emails' },
]
