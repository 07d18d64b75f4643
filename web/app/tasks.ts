import {
  type Icon,
  IconFilterPlus,
  IconKey,
  IconMailPlus,
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
  { label: 'Send a test email', path: '?send=true', area: 'Emails', icon: IconMailPlus },
  { label: 'Create a template', path: 'templates/new', area: 'Templates', icon: IconMailPlus },
  { label: 'Add a contact', path: 'contacts?new=true', area: 'Contacts', icon: IconUserPlus },
  { label: 'Import contacts', path: 'imports/contacts', area: 'Contacts', icon: IconUserPlus },
  { label: 'Build a segment', path: 'segments/new', area: 'Segments', icon: IconFilterPlus },
  { label: 'Add a domain', path: 'domains?new=true', area: 'Domains', icon: IconWorldPlus },
  { label: 'Create an API key', path: 'api-keys?new=true', area: 'API keys', icon: IconKey },
  { label: 'Add a webhook endpoint', path: 'webhooks?new=true', area: 'Webhooks', icon: IconWebhook },
]
