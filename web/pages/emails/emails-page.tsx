import { Button } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
import type { EmailSummary } from '../../api/records.ts'
import type { Query } from '../../api/request.ts'
import { useList, useMay, useTeam, useTeamId } from '../../api/team.ts'
import { EmailStatus, SimulatedBadge } from '../../ui/email-status.tsx'
import { Link } from '../../ui/link.tsx'
import { Moment } from '../../ui/moment.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Section } from '../../ui/page/section.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import type { Column } from '../../ui/tables/column.ts'
import { DataTable } from '../../ui/tables/data-table.tsx'
import { withLocalDays } from '../../ui/tables/days.ts'
import type { ExportOf } from '../../ui/tables/export-rows.ts'
import { useFilters } from '../../ui/tables/filters.ts'
import { ListCount, NoMatches } from '../../ui/tables/list-count.tsx'
import { ListTools } from '../../ui/tables/list-tools.tsx'
import { useListView } from '../../ui/tables/list-view.ts'
import { momentColumn } from '../../ui/tables/moment-column.tsx'
import type { PanelOf } from '../../ui/tables/row-panel.tsx'
import { showTag } from '../../ui/tags.ts'
import { EmailBulk } from './email-bulk.tsx'
import { EmailFilterBar, type EmailFilters, FILTERS } from './email-filters.tsx'
import { EmailPanel } from './email-panel.tsx'

const COLUMNS: readonly Column<EmailSummary>[] = [
  { header: 'Recipients', render: Recipients },
  { header: 'Subject', render: Subject, isWide: true },
  { header: 'Status', render: Status, width: 150 },
  momentColumn('Accepted', ({ created_at: at }) => at, { isRelative: true, width: 130, isListOrder: true }),
  {
    header: 'Sender',
    render: ({ from }) => (
      <span className="one-line">
        <bdi>{from}</bdi>
      </span>
    ),
    width: 200,
    isWide: true,
    isExtra: true,
  },
  {
    header: 'Domain',
    render: ({ domain }) => <span className="one-line">{domain.name}</span>,
    width: 160,
    isWide: true,
    isExtra: true,
  },
  {
    header: 'ID',
    render: ({ id }) => <span className="one-line code">{id}</span>,
    width: 160,
    isWide: true,
    isExtra: true,
  },
]
/** The page of the email names further recipients. */
const NAMED_MAX = 10

/** All emails of the team, newest first. */
export function EmailsPage() {
  const team = useTeam()
  const filters = useFilters(FILTERS)
  const mayChange = useMay().change('Emails')
  const view = useListView('emails', COLUMNS, FILTERS)
  const query = toQuery(filters.filters)
  const list = useList<EmailSummary>('/emails', { query, isOldestFirst: view.isOldestFirst })
  const tools = (
    <ListTools
      view={view}
      count={
        <ListCount
          list={list}
          isFiltered={filters.isFiltered}
          noun="email"
          moreThan={(max) => `More than ${max} emails`}
        />
      }
      exported={useExport(query)}
    />
  )
  return (
    <Page title="Emails" description="Every accepted email and its status.">
      <Section isFlush>
        <EmailFilterBar filters={filters} tools={tools} />
        <DataTable
          label="Emails"
          view={view}
          list={list}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/${team.id}/emails/${id}`}
          labelOf={labelOf}
          panel={{ ...PANEL, pageOf: (id) => `/${team.id}/emails/${id}` }}
          bulk={mayChange ? (emails, deselect) => <EmailBulk emails={emails} onDone={deselect} /> : undefined}
          empty={
            filters.isFiltered ? (
              <NoMatches title="No matching emails" clear={filters.clear}>
                Search finds the start of an address, any part of a subject, a whole ID or Message-ID, and a
                tag as name:value.
              </NoMatches>
            ) : (
              <NothingYet />
            )
          }
        />
      </Section>
    </Page>
  )
}

const labelOf = ({ to, cc, bcc, subject }: EmailSummary) =>
  `${[...to, ...cc, ...bcc][0] ?? ''}: ${subject === '' ? '(no subject)' : subject}`

const PANEL: PanelOf<EmailSummary> = {
  label: 'Email',
  title: (email) => (email === null || email.subject === '' ? '(no subject)' : email.subject),
  render: (id, email) => <EmailPanel key={id} id={id} summary={email} />,
}

function useExport(query: Query): ExportOf<EmailSummary> {
  return {
    path: '/emails',
    query,
    teamId: useTeamId(false),
    file: 'emails',
    fields: [
      { name: 'id', read: ({ id }) => id },
      { name: 'created_at', read: ({ created_at: at }) => at },
      { name: 'from', read: ({ from }) => from },
      { name: 'to', read: ({ to }) => to.join(', ') },
      { name: 'cc', read: ({ cc }) => cc.join(', ') },
      { name: 'bcc', read: ({ bcc }) => bcc.join(', ') },
      { name: 'subject', read: ({ subject }) => subject },
      { name: 'status', read: ({ status }) => status },
      { name: 'last_event', read: ({ last_event: event }) => event },
      { name: 'tags', read: ({ tags }) => tags.map(({ name, value }) => `${name}:${value}`).join(' ') },
    ],
  }
}

const toQuery = ({ q, ...others }: EmailFilters['filters']): Query => ({
  ...withLocalDays(others),
  search: q,
})

function Recipients({ to, cc, bcc, subject }: EmailSummary) {
  const [first = '', ...others] = [...to, ...cc, ...bcc]
  return (
    <>
      <span className="cell-line">
        <span className="one-line">
          <bdi>{first}</bdi>
        </span>
        {others.length > 0 && (
          <span className="note" title={others.slice(0, NAMED_MAX).join('\n')}>
            +{others.length}
          </span>
        )}
      </span>
      <span className="one-line cell-second phone">
        <bdi>{subject}</bdi>
      </span>
    </>
  )
}

function Subject(email: EmailSummary) {
  const { subject, tags } = email
  return (
    <span className="one-line">
      <bdi>{subject === '' ? '(no subject)' : subject}</bdi>
      {tags.slice(0, 2).map((tag) => (
        <span key={`${tag.name}:${tag.value}`} className="tag">
          {showTag(tag)}
        </span>
      ))}{' '}
      <SimulatedBadge email={email} />
    </span>
  )
}

/** Events such as opens and complaints follow the final status of an email. */
function Status(email: EmailSummary) {
  const { last_event, created_at } = email
  return (
    <>
      <span className="cell-states">
        <EmailStatus email={email} />
        {last_event === 'complained' && <StatusBadge status="complained" />}
      </span>
      <span className="note phone">
        <Moment at={created_at} isRelative />
      </span>
    </>
  )
}

function NothingYet() {
  const team = useTeam()
  const may = useMay()
  return (
    <EmptyState
      icon={IconMail}
      title="No emails yet"
      action={
        may.change('Emails') && (
          <Button component={Link} to={`/${team.id}`} search={{ send: 'true' } as never}>
            Send test email
          </Button>
        )
      }
    >
      Emails appear here as soon as the API or SMTP accepts them. The overview shows how to send the first
      one.
    </EmptyState>
  )
}
