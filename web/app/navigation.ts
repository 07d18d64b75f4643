import {
  type Icon,
  IconAdjustments,
  IconBellRinging,
  IconBolt,
  IconChartBar,
  IconCode,
  IconFileText,
  IconHome,
  IconInbox,
  IconMail,
  IconServer,
  IconSettings,
  IconSpeakerphone,
  IconUsers,
  IconUsersGroup,
  IconWorld,
} from '@tabler/icons-react'
import { texts } from './texts.ts'

/** A page of a team, or of the installation. */
export interface Tab {
  label: string
  /** Relative to the team's path. */
  path: string
  /** Area of docs/permissions.md that the user must be allowed to read. */
  area?: string
  /** Further words that people search for. */
  keywords?: string
}

/** An entry of the sidebar: one page, or several with tabs. */
export interface Place {
  label: string
  icon: Icon
  /** The place opens the first tab that the user may see. `alsoAt` paths belong to the place but have no tab. */
  tabs: readonly [Tab, ...Tab[]]
  alsoAt?: readonly string[]
  isCaptureOnly?: boolean
  /** The key that opens the place after `g`. */
  key?: string
}

/** The places of a team, in the order of the sidebar. */
export const PLACES: readonly Place[] = [
  {
    label: texts.navigation.home,
    icon: IconHome,
    alsoAt: ['start', 'go-live'],
    tabs: [{ label: texts.navigation.home, path: '', keywords: texts.navigation.homeKeywords }],
    key: 'h',
  },
  {
    label: texts.navigation.emails,
    icon: IconMail,
    tabs: [{ label: texts.navigation.emails, path: 'emails', keywords: texts.navigation.emailsKeywords }],
    key: 'e',
  },
  {
    label: texts.navigation.metrics,
    icon: IconChartBar,
    tabs: [
      {
        label: texts.navigation.metrics,
        path: 'metrics',
        keywords: texts.navigation.metricsKeywords,
      },
    ],
    key: 'r',
  },
  {
    label: texts.navigation.mailbox,
    icon: IconInbox,
    isCaptureOnly: true,
    tabs: [{ label: texts.navigation.mailbox, path: 'captured', keywords: texts.navigation.mailboxKeywords }],
    key: 'm',
  },
  {
    label: texts.navigation.templates,
    icon: IconFileText,
    tabs: [
      { label: texts.navigation.templates, path: 'templates', keywords: texts.navigation.templatesKeywords },
    ],
    key: 't',
  },
  {
    label: texts.navigation.audience,
    icon: IconUsers,
    alsoAt: ['imports', 'erasures'],
    tabs: [
      { label: texts.navigation.contacts, path: 'contacts', keywords: texts.navigation.contactsKeywords },
      { label: texts.navigation.lists, path: 'lists' },
      { label: texts.navigation.segments, path: 'segments' },
      {
        label: texts.navigation.properties,
        path: 'properties',
        keywords: texts.navigation.propertiesKeywords,
      },
      {
        label: texts.navigation.suppressions,
        path: 'suppressions',
        keywords: texts.navigation.suppressionsKeywords,
      },
    ],
    key: 'a',
  },
  {
    label: texts.navigation.campaigns,
    icon: IconSpeakerphone,
    tabs: [{ label: texts.navigation.campaigns, path: 'campaigns' }],
  },
  {
    label: texts.navigation.domains,
    icon: IconWorld,
    tabs: [
      { label: texts.navigation.domains, path: 'domains', keywords: texts.navigation.domainsKeywords },
      { label: texts.navigation.senders, path: 'senders', keywords: texts.navigation.sendersKeywords },
    ],
    key: 'd',
  },
  {
    label: texts.navigation.developers,
    icon: IconCode,
    tabs: [
      {
        label: texts.navigation.apiKeys,
        path: 'api-keys',
        area: 'API keys',
        keywords: texts.navigation.apiKeysKeywords,
      },
      { label: texts.navigation.smtp, path: 'smtp', keywords: texts.navigation.smtpKeywords },
      {
        label: texts.navigation.webhooks,
        path: 'webhooks',
        area: 'Webhooks',
        keywords: texts.navigation.webhooksKeywords,
      },
      {
        label: texts.navigation.requestLog,
        path: 'requests',
        area: 'Request log',
        keywords: texts.navigation.requestLogKeywords,
      },
    ],
    key: 'v',
  },
  {
    label: texts.navigation.settings,
    icon: IconSettings,
    tabs: [
      {
        label: texts.navigation.team,
        path: 'settings',
        keywords: texts.navigation.teamKeywords,
      },
      { label: texts.navigation.usage, path: 'usage', keywords: texts.navigation.usageKeywords },
      {
        label: texts.navigation.auditLog,
        path: 'audit',
        area: 'Audit log',
        keywords: texts.navigation.auditLogKeywords,
      },
    ],
    key: 's',
  },
]

/** Pages that are prepared but do nothing yet. A setting of the browser shows them in the sidebar. */
export const PREVIEWS: readonly Place[] = [
  {
    label: texts.navigation.automations,
    icon: IconBolt,
    tabs: [{ label: texts.navigation.automations, path: 'automations' }],
  },
]

/** The pages of the installation, for its operators. */
export const SYSTEM_PLACES: readonly Place[] = [
  {
    label: texts.navigation.health,
    icon: IconBellRinging,
    tabs: [{ label: texts.navigation.health, path: 'health' }],
  },
  {
    label: texts.navigation.teams,
    icon: IconUsersGroup,
    tabs: [{ label: texts.navigation.teams, path: 'teams', keywords: texts.navigation.teamsKeywords }],
  },
  {
    label: texts.navigation.queue,
    icon: IconChartBar,
    tabs: [{ label: texts.navigation.queue, path: 'queue' }],
  },
  {
    label: texts.navigation.sites,
    icon: IconWorld,
    tabs: [{ label: texts.navigation.sites, path: 'sites', keywords: texts.navigation.sitesKeywords }],
  },
  {
    label: texts.navigation.shaping,
    icon: IconAdjustments,
    tabs: [{ label: texts.navigation.shaping, path: 'shaping', keywords: texts.navigation.shapingKeywords }],
  },
  {
    label: texts.navigation.nodes,
    icon: IconServer,
    tabs: [{ label: texts.navigation.nodes, path: 'nodes', keywords: 'processes' }],
  },
]
