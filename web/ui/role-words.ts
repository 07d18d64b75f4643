import type { Role } from '../api/session.ts'

export const ROLES = ['owner', 'admin', 'member', 'viewer'] as const satisfies readonly Role[]

export const ROLE_TEXTS: Readonly<Record<Role, { label: string; summary: string }>> = {
  owner: {
    label: 'Owner',
    summary: 'Full access; also adds, changes and removes other owners.',
  },
  admin: {
    label: 'Admin',
    summary:
      'Also manages domains, API keys, webhooks, retention, the audit log, personal data, and all members except owners.',
  },
  member: {
    label: 'Member',
    summary: 'Sends emails; edits templates, senders, contacts, lists, segments, suppressions and campaigns.',
  },
  viewer: {
    label: 'Viewer',
    summary: 'Views everything except API keys, the request log and the audit log; changes nothing.',
  },
}

/** Returns the role with its article: "an owner", "a member". */
export const withArticle = (role: Role): string => `${/^[ao]/.test(role) ? 'an' : 'a'} ${role}`
