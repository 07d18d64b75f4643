import { Button, Text } from '@mantine/core'
import type { Contact, EmailSummary } from '../../api/records.ts'
import { useList, useTeam } from '../../api/team.ts'
import { EmailStatus } from '../../ui/email-status.tsx'
import { Link } from '../../ui/link.tsx'
import { Section } from '../../ui/page/section.tsx'
import type { Column } from '../../ui/tables/column.ts'
import { DataTable } from '../../ui/tables/data-table.tsx'
import { momentColumn } from '../../ui/tables/moment-column.tsx'

const COLUMNS: readonly Column<EmailSummary>[] = [
  {
    header: 'Subject',
    render: ({ subject }) => (
      <span className="one-line">
        <bdi>{subject === '' ? '(no subject)' : subject}</bdi>
      </span>
    ),
  },
  { header: 'Status', render: (email) => <EmailStatus email={email} />, width: 140 },
  momentColumn('Accepted', ({ created_at: at }) => at, { isRelative: true, width: 150 }),
]
/** The page of emails shows all. */
const SHOWN = 8

/** The latest emails to this address. */
export function ContactEmails({ contact: { email } }: { contact: Contact }) {
  const team = useTeam()
  const list = useList<EmailSummary>('/emails', { query: { to: email }, countAPage: SHOWN })
  return (
    <Section
      title="Emails"
      isFlush
      actions={
        list.rows.length > 0 && (
          <Button
            variant="subtle"
            size="compact-sm"
            component={Link}
            to={`/${team.id}/emails`}
            search={{ to: email } as never}
          >
            Show all
          </Button>
        )
      }
    >
      <DataTable
        label="Emails to this contact"
        columns={COLUMNS}
        list={{ ...list, rows: list.rows.slice(0, SHOWN), hasMore: false }}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/${team.id}/emails/${id}`}
        empty={
          <Text size="sm" c="dimmed" px="sm" pb="md">
            No emails to this address yet.
          </Text>
        }
      />
    </Section>
  )
}
