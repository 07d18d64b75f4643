import {
  type Icon,
  IconFilterPlus,
  IconFlag,
  IconKey,
  IconMailPlus,
  IconRocket,
  IconUserPlus,
  IconWebhook,
  IconWorldPlus,
} from '@tabler/icons-react'

interface Task {
  label: string
  /** Relative to the team's path, with the parameter that opens the form. */
  path: string
  /** Area of docs/permissions.md that the user must be allowed to change. */
  area: string
  icon: Icon
}

/** The tasks that the palette can start. */
export const TASKS: readonly Task[] = [
  { label: 'Send test email', path: '?send=true', area: 'Emails', icon: IconMailPlus },
  { label: 'Get started', path: 'start', area: 'Emails', icon: IconFlag },
  { label: 'Go live', path: 'go-live', area: 'Emails', icon: IconRocket },
  { label: 'Create template', path: 'templates/new', area: 'Templates', icon: IconMailPlus },
  { label: 'Add contact', path: 'contacts?new=true', area: 'Contacts', icon: IconUserPlus },
  { label: 'Import contacts', path: 'imports/contacts', area: 'Contacts', icon: IconUserPlus },
  { label: 'Create segment', path: 'segments/new', area: 'Segments', icon: IconFilterPlus },
  { label: 'Add domain', path: 'domains?new=true', area: 'Domains', icon: IconWorldPlus },
  { label: 'Create API key', path: 'api-keys?new=true', area: 'API keys', icon: IconKey },
  { label: 'Add webhook endpoint', path: 'webhooks?new=true', area: 'Webhooks', icon: IconWebhook },
]
