import { ActionIcon, Button, Group, Text } from '@mantine/core'
import { IconDownload, IconPencil, IconTrash, IconUsers } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import type { Contact, Segment } from '../../api/records.ts'
import { saveFile } from '../../api/request.ts'
import { useGet, useList, useMay, useTeam } from '../../api/team.ts'
import { useDelete } from '../../ui/forms/use-delete.ts'
import { fullName } from '../../ui/full-name.ts'
import { Link } from '../../ui/link.tsx'
import { notifyError } from '../../ui/notifications.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Page } from '../../ui/page/page.tsx'
import { PendingPage } from '../../ui/page/pending-page.tsx'
import { Section } from '../../ui/page/section.tsx'
import { plural } from '../../ui/plural.ts'
import type { Column } from '../../ui/tables/column.ts'
import { DataTable } from '../../ui/tables/data-table.tsx'
import { momentColumn } from '../../ui/tables/moment-column.tsx'
import { summarize } from './summary.ts'
import { useNames } from './use-names.ts'

/** One segment: a description of its conditions, and its current contacts. */
export function SegmentPage() {
  const team = useTeam()
  const { segmentId } = useParams({ from: '/inside/$teamId/segments/$segmentId' })
  const { data, error, refetch } = useGet<Segment>(`/segments/${segmentId}`)
  const names = useNames()
  const trail = [{ label: 'Segments', to: `/${team.id}/segments` }]
  if (data === undefined)
    return <PendingPage title="Segment" trail={trail} error={error} onRetry={() => void refetch()} />
  return (
    <Page
      title={data.name}
      trail={trail}
      description={
        <span className="foreign">
          {names === undefined
            ? ' '
            : summarize({ match_type: data.match_type, groups: data.filters.groups }, names)}
        </span>
      }
      actions={<Actions segment={data} />}
    >
      <Members segment={data} />
    </Page>
  )
}

const COLUMNS: readonly Column<Contact>[] = [
  { header: 'Address', render: ({ email }) => <span className="foreign">{email}</span> },
  {
    header: 'Name',
    render: (contact) => <span className="foreign">{fullName(contact)}</span>,
    isWide: true,
  },
  momentColumn('Added', ({ created_at: at }) => at, { width: 200 }),
]
/** The API stops counting here. */
const COUNTED_MAX = 10_000

function Members({ segment }: { segment: Segment }) {
  const team = useTeam()
  const list = useList<Contact>(`/segments/${segment.id}/contacts`)
  const { total } = list
  return (
    <Section isFlush>
      {total !== null && total > 0 && (
        <Text size="xs" c="dimmed" px="sm" pt="sm" role="status">
          {total >= COUNTED_MAX
            ? `${COUNTED_MAX.toLocaleString()} contacts or more`
            : plural(total, '1 contact', `${total.toLocaleString()} contacts`)}
        </Text>
      )}
      <DataTable
        label="Contacts in the segment"
        columns={COLUMNS}
        list={list}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/${team.id}/contacts/${id}`}
        empty={
          <EmptyState icon={IconUsers} title="No matching contacts">
            Contacts appear here as soon as they match the conditions.
          </EmptyState>
        }
      />
    </Section>
  )
}

function Actions({ segment }: { segment: Segment }) {
  const team = useTeam()
  const mayChange = useMay().change('Segments')
  const save = () =>
    void saveFile(
      '/contacts/export',
      { teamId: team.id, query: { segment_id: segment.id } },
      'contacts.csv',
    ).catch(notifyError)
  return (
    <>
      <Button variant="default" leftSection={<IconDownload />} onClick={save}>
        Export
      </Button>
      {mayChange && (
        <Group gap="xs">
          <Button
            leftSection={<IconPencil />}
            component={Link}
            to={`/${team.id}/segments/${segment.id}/edit`}
          >
            Edit
          </Button>
          <Remove segment={segment} />
        </Group>
      )}
    </>
  )
}

function Remove({ segment }: { segment: Segment }) {
  const ask = useDelete({
    path: `/segments/${segment.id}`,
    title: `Delete “${segment.name}”?`,
    children:
      'Its contacts are kept. You cannot delete a segment that a scheduled campaign or an active automation uses. Other campaigns and automations lose it.',
    action: 'Delete segment',
    done: `Segment “${segment.name}” deleted.`,
    leaveTo: '/segments',
  })
  return (
    <ActionIcon variant="default" size={36} aria-label="Delete segment" onClick={ask}>
      <IconTrash />
    </ActionIcon>
  )
}
