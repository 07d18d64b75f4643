import type { Role } from '../api/session.ts'

export const ROLES = ['owner', 'admin', 'member', 'viewer'] as const satisfies readonly Role[]

export const ROLE_TEXTS: Readonly<Record<Role, { label: string; summary: string }>> = {
  owner: {
    label: 'Owner',
    summary: 'Everything that there is in the team; makes, changes and removes other owners.',
  },
  admin: {
    label: 'Admin',
    summary:
      'Also domains, API keys, webhooks, retention, the audit log, personal data, and all people below owners.',
  },
  member: {
    label: 'Member',
    summary: 'Sends emails; edits templates, senders, contacts, lists, segments, suppressions and campaigns.',
  },
  viewer: { label: 'Viewer', summary: 'Sees all but API keys and the audit log; changes nothing.' },
}

/** "an owner", "a member". */
export const withArticle = (role: Role): string => `${/^[ao]/.test(role) ? 'an' : 'a'} ${role}`
