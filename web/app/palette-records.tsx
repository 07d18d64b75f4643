import type { SpotlightActionGroupData } from '@mantine/spotlight'
import { IconFileText, IconMail, IconUser, IconWorld } from '@tabler/icons-react'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { keyOf } from '../api/query-keys.ts'
import type { Contact, Domain, EmailSummary, TemplateSummary } from '../api/records.ts'
import { type Query, requestJson } from '../api/request.ts'
import type { TeamOfSession } from '../api/session.ts'
import type { ListOf } from '../api/team.ts'
import { fullName } from '../ui/full-name.ts'
import { showWord } from '../ui/status-badge.tsx'

/** Of each kind. More are on the page of that kind. */
const SHOWN_MAX = 5
/** A single letter matches almost everything. */
const CHARS_MIN = 2
const DOMAINS_READ = 100

interface Found {
  groups: SpotlightActionGroupData[]
  isSearching: boolean
}

/** Finds records of the team by what the user types. A request that a further letter makes useless is aborted. */
export function useFound(team: TeamOfSession | null, text: string, open: (to: string) => () => void): Found {
  const isLong = text.length >= CHARS_MIN
  const emails = useRecords<EmailSummary>(isLong, team, 'Emails', '/emails', { search: text })
  const contacts = useRecords<Contact>(isLong, team, 'Contacts', '/contacts', { q: text })
  const templates = useRecords<TemplateSummary>(isLong, team, 'Templates', '/templates', { q: text })
  const domains = useRecords<Domain>(isLong, team, 'Domains', '/domains', { limit: DOMAINS_READ })
  const base = team === null ? '' : `/${team.id}`
  const groupOf = <T extends { id: string }>(
    group: string,
    { data }: UseQueryResult<ListOf<T>>,
    path: string,
    Glyph: typeof IconMail,
    describe: (record: T) => { label: string; description: string },
    fits: (record: T) => boolean = () => true,
  ): SpotlightActionGroupData => ({
    group,
    actions: (isLong ? (data?.data ?? []) : [])
      .filter(fits)
      .slice(0, SHOWN_MAX)
      .map((record) => ({
        id: record.id,
        ...describe(record),
        leftSection: <Glyph />,
        onClick: open(`${base}/${path}/${record.id}`),
      })),
  })
  const groups = [
    groupOf('Emails', emails, 'emails', IconMail, ({ subject, to, status }) => ({
      label: subject === '' ? '(no subject)' : subject,
      description: `${to[0] ?? ''} · ${showWord(status)}`,
    })),
    groupOf('Contacts', contacts, 'contacts', IconUser, (contact) => ({
      label: contact.email,
      description: fullName(contact),
    })),
    groupOf('Templates', templates, 'templates', IconFileText, ({ name, subject }) => ({
      label: name,
      description: subject ?? '',
    })),
    groupOf(
      'Domains',
      domains,
      'domains',
      IconWorld,
      ({ name, status }) => ({ label: name, description: showWord(status) }),
      ({ name }) => name.includes(text.toLowerCase()),
    ),
  ]
  return {
    groups: groups.filter(({ actions }) => actions.length > 0),
    isSearching: [emails, contacts, templates, domains].some(({ isFetching }) => isFetching),
  }
}

/** @param area of docs/permissions.md, which the user must be allowed to read */
function useRecords<T>(
  isLong: boolean,
  team: TeamOfSession | null,
  area: string,
  path: string,
  query: Query,
): UseQueryResult<ListOf<T>> {
  const teamId = team?.id ?? null
  const full = { limit: SHOWN_MAX, ...query }
  return useQuery({
    queryKey: [...keyOf(teamId, path, full), 'palette'],
    queryFn: ({ signal }) => requestJson<ListOf<T>>(path, { teamId, query: full, signal }),
    enabled: isLong && team?.may_read.includes(area) === true,
  })
}
