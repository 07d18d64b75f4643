import { InvalidArgumentError } from 'commander'
import { PLANS, type PlanName, parsePlan } from '../../../access/plans.ts'
import { ROLES, type Role } from '../../../access/roles.ts'
import { isUuid } from '../../../lib/ids.ts'
import { parseInstant } from '../../../lib/time/scheduled-at.ts'

// Readers of arguments. An argument that they reject is a usage error, exit code 2.

export function readId(text: string): string {
  if (!isUuid(text)) throw new InvalidArgumentError('It must be an id.')
  return text.toLowerCase()
}

export function readPlan(text: string): PlanName {
  const plan = parsePlan(text)
  if (plan === null) throw new InvalidArgumentError(`The plans are ${Object.keys(PLANS).join(', ')}.`)
  return plan
}

export function readRole(text: string): Role {
  const role = ROLES.find((name) => name === text)
  if (role === undefined) throw new InvalidArgumentError(`The roles are ${ROLES.toReversed().join(', ')}.`)
  return role
}

export function readName(text: string): string {
  const { length } = [...text]
  if (length < 1 || length > 255) throw new InvalidArgumentError('It must have 1 to 255 characters.')
  return text
}

export function readReason(text: string): string {
  const reason = text.trim()
  const { length } = [...reason]
  if (length < 1 || length > 500) throw new InvalidArgumentError('It must have 1 to 500 characters.')
  return reason
}

export function readTime(text: string): Date {
  const at = parseInstant(text)
  if (at === null)
    throw new InvalidArgumentError('It must be an ISO 8601 time, for example 2027-01-31T12:00:00Z.')
  return at
}

export function readCount(text: string): number {
  const count = Number(text)
  if (!/^\d{1,4}$/.test(text) || count < 1) throw new InvalidArgumentError('It must be 1 to 9999.')
  return count
}
