import {
  type Icon,
  IconAddressBook,
  IconAdjustments,
  IconBellRinging,
  IconBolt,
  IconChartBar,
  IconFileText,
  IconFilter,
  IconForbid2,
  IconGauge,
  IconHistory,
  IconHome,
  IconInbox,
  IconKey,
  IconListDetails,
  IconMail,
  IconSend,
  IconServer,
  IconSettings,
  IconSpeakerphone,
  IconTag,
  IconTerminal2,
  IconUserEdit,
  IconUsersGroup,
  IconWebhook,
  IconWorld,
} from '@tabler/icons-react'

export interface Place {
  label: string
  /** Relative to the team's path. */
  path: string
  icon: Icon
  /** Area of docs/permissions.md that the user must be allowed to read. */
  area?: string
  /** Further words that people search for. */
  keywords?: string
  isCaptureOnly?: boolean
}

export interface Group {
  label: string | null
  places: readonly Place[]
}

/** The pages of a team, in the order of the navigation. */
export const GROUPS: readonly Group[] = [
  {
    label: null,
    places: [
      { label: 'Overview', path: '', icon: IconHome, keywords: 'home metrics chart start' },
      { label: 'Emails', path: 'emails', icon: IconMail, keywords: 'log sent delivered bounced' },
      {
        label: 'Mailbox',
        path: 'captured',
        icon: IconInbox,
        isCaptureOnly: true,
        keywords: 'capture captured test',
      },
      { label: 'Templates', path: 'templates', icon: IconFileText, keywords: 'editor html' },
    ],
  },
  {
    label: 'Audience',
    places: [
      { label: 'Contacts', path: 'contacts', icon: IconAddressBook, keywords: 'people import csv' },
      { label: 'Lists', path: 'lists', icon: IconListDetails },
      { label: 'Segments', path: 'segments', icon: IconFilter },
      { label: 'Properties', path: 'properties', icon: IconTag, keywords: 'fields attributes' },
      {
        label: 'Suppressions',
        path: 'suppressions',
        icon: IconForbid2,
        keywords: 'blocked bounce complaint unsubscribe',
      },
    ],
  },
  {
    label: 'Sending',
    places: [
      { label: 'Domains', path: 'domains', icon: IconWorld, keywords: 'dns dkim spf dmarc verify' },
      { label: 'Senders', path: 'senders', icon: IconUserEdit, keywords: 'from address' },
      { label: 'API keys', path: 'api-keys', icon: IconKey, area: 'API keys', keywords: 'token secret' },
      { label: 'SMTP', path: 'smtp', icon: IconSend, keywords: 'credentials submission port' },
      {
        label: 'Webhooks',
        path: 'webhooks',
        icon: IconWebhook,
        area: 'Webhooks',
        keywords: 'events endpoint',
      },
      {
        label: 'Request log',
        path: 'requests',
        icon: IconTerminal2,
        area: 'Request log',
        keywords: 'api requests errors developers debug',
      },
    ],
  },
  {
    label: 'Outreach',
    places: [
      { label: 'Campaigns', path: 'campaigns', icon: IconSpeakerphone },
      { label: 'Automations', path: 'automations', icon: IconBolt },
    ],
  },
  {
    label: 'Team',
    places: [
      { label: 'Usage', path: 'usage', icon: IconGauge, keywords: 'quota limits plan' },
      {
        label: 'Audit log',
        path: 'audit',
        icon: IconHistory,
        area: 'Audit log',
        keywords: 'history changes',
      },
      { label: 'Settings', path: 'settings', icon: IconSettings, keywords: 'members invite roles retention' },
    ],
  },
]

/** The pages of the installation, for its operators. */
export const OPERATOR_PLACES: readonly Place[] = [
  { label: 'Health', path: 'health', icon: IconBellRinging },
  { label: 'Teams', path: 'teams', icon: IconUsersGroup, keywords: 'plans pause' },
  { label: 'Queue', path: 'queue', icon: IconChartBar },
  { label: 'Sites', path: 'sites', icon: IconWorld, keywords: 'mx shaping pause' },
  { label: 'Shaping', path: 'shaping', icon: IconAdjustments, keywords: 'rules limits rate' },
  { label: 'Nodes', path: 'nodes', icon: IconServer, keywords: 'processes' },
]
