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
    label: 'Home',
    icon: IconHome,
    alsoAt: ['start', 'go-live'],
    tabs: [{ label: 'Home', path: '', keywords: 'overview metrics chart start' }],
    key: 'h',
  },
  {
    label: 'Emails',
    icon: IconMail,
    tabs: [{ label: 'Emails', path: 'emails', keywords: 'log sent delivered bounced' }],
    key: 'e',
  },
  {
    label: 'Metrics',
    icon: IconChartBar,
    tabs: [
      {
        label: 'Metrics',
        path: 'metrics',
        keywords: 'analytics statistics opens clicks providers bounces',
      },
    ],
    key: 'r',
  },
  {
    label: 'Mailbox',
    icon: IconInbox,
    isCaptureOnly: true,
    tabs: [{ label: 'Mailbox', path: 'captured', keywords: 'capture captured test' }],
    key: 'm',
  },
  {
    label: 'Templates',
    icon: IconFileText,
    tabs: [{ label: 'Templates', path: 'templates', keywords: 'editor html' }],
    key: 't',
  },
  {
    label: 'Audience',
    icon: IconUsers,
    alsoAt: ['imports', 'erasures'],
    tabs: [
      { label: 'Contacts', path: 'contacts', keywords: 'people import csv' },
      { label: 'Lists', path: 'lists' },
      { label: 'Segments', path: 'segments' },
      {
        label: 'Properties',
        path: 'properties',
        keywords: 'fields attributes',
      },
      {
        label: 'Suppressions',
        path: 'suppressions',
        keywords: 'blocked bounce complaint unsubscribe',
      },
    ],
    key: 'a',
  },
  {
    label: 'Campaigns',
    icon: IconSpeakerphone,
    tabs: [{ label: 'Campaigns', path: 'campaigns' }],
  },
  {
    label: 'Automations',
    icon: IconBolt,
    tabs: [{ label: 'Automations', path: 'automations', keywords: 'workflow journey drip series sequence' }],
  },
  {
    label: 'Domains',
    icon: IconWorld,
    tabs: [
      { label: 'Domains', path: 'domains', keywords: 'dns dkim spf dmarc verify' },
      { label: 'Senders', path: 'senders', keywords: 'from address' },
    ],
    key: 'd',
  },
  {
    label: 'Developers',
    icon: IconCode,
    tabs: [
      {
        label: 'API keys',
        path: 'api-keys',
        area: 'API keys',
        keywords: 'token secret',
      },
      { label: 'SMTP', path: 'smtp', keywords: 'credentials submission port' },
      {
        label: 'Webhooks',
        path: 'webhooks',
        area: 'Webhooks',
        keywords: 'events endpoint',
      },
      {
        label: 'Request log',
        path: 'requests',
        area: 'Request log',
        keywords: 'api requests errors debug',
      },
    ],
    key: 'v',
  },
  {
    label: 'Settings',
    icon: IconSettings,
    tabs: [
      {
        label: 'Team',
        path: 'settings',
        keywords: 'settings members invite roles retention',
      },
      { label: 'Usage', path: 'usage', keywords: 'quota limits plan' },
      {
        label: 'Audit log',
        path: 'audit',
        area: 'Audit log',
        keywords: 'history changes',
      },
    ],
    key: 's',
  },
]

/** The pages of the installation, for its operators. */
export const SYSTEM_PLACES: readonly Place[] = [
  {
    label: 'Health',
    icon: IconBellRinging,
    tabs: [{ label: 'Health', path: 'health' }],
  },
  {
    label: 'Teams',
    icon: IconUsersGroup,
    tabs: [{ label: 'Teams', path: 'teams', keywords: 'plans pause' }],
  },
  {
    label: 'Queue',
    icon: IconChartBar,
    tabs: [{ label: 'Queue', path: 'queue' }],
  },
  {
    label: 'Sites',
    icon: IconWorld,
    tabs: [{ label: 'Sites', path: 'sites', keywords: 'mx shaping pause' }],
  },
  {
    label: 'Shaping',
    icon: IconAdjustments,
    tabs: [{ label: 'Shaping', path: 'shaping', keywords: 'rules limits rate' }],
  },
  {
    label: 'Nodes',
    icon: IconServer,
    tabs: [{ label: 'Nodes', path: 'nodes', keywords: 'processes' }],
  },
]
