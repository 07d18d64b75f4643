import type { Role } from '../api/session.ts'
import { texts } from './texts.ts'

export const ROLES = ['owner', 'admin', 'member', 'viewer'] as const satisfies readonly Role[]

export const ROLE_TEXTS: Readonly<Record<Role, { label: string; summary: string }>> = texts.roleWords.roles

/** Returns the role with its article: "an owner", "a member". */
export const withArticle = (role: Role): string => `${/^[ao]/.test(role) ? 'an' : 'a'} ${role}`
