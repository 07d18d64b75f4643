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
import { texts } from './texts.ts'

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
  { label: texts.tasks.sendATestEmail, path: '?send=true', area: 'Emails', icon: IconMailPlus },
  { label: texts.tasks.getStarted, path: 'start', area: 'Emails', icon: IconFlag },
  { label: texts.tasks.goLive, path: 'go-live', area: 'Emails', icon: IconRocket },
  { label: texts.tasks.createATemplate, path: 'templates/new', area: 'Templates', icon: IconMailPlus },
  { label: texts.tasks.addAContact, path: 'contacts?new=true', area: 'Contacts', icon: IconUserPlus },
  { label: texts.tasks.importContacts, path: 'imports/contacts', area: 'Contacts', icon: IconUserPlus },
  { label: texts.tasks.buildASegment, path: 'segments/new', area: 'Segments', icon: IconFilterPlus },
  { label: texts.tasks.addADomain, path: 'domains?new=true', area: 'Domains', icon: IconWorldPlus },
  { label: texts.tasks.createAnApiKey, path: 'api-keys?new=true', area: 'API keys', icon: IconKey },
  { label: texts.tasks.addAWebhookEndpoint, path: 'webhooks?new=true', area: 'Webhooks', icon: IconWebhook },
]
