import { Anchor, Button, Group, Select, Text, TextInput } from '@mantine/core'
import { IconDownload, IconForbid2, IconPlus, IconSearch, IconTrash, IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import type { Suppression } from '../../api/records.ts'
import { type Query, saveFile } from '../../api/request.ts'
import { useChange, useList, useMay, useTeam } from '../../api/team.ts'
import { useDialog } from '../../ui/forms/dialog.ts'
import { Link } from '../../ui/link.tsx'
import { notifyDone, notifyError } from '../../ui/notifications.tsx'
import { plural } from '../../ui/plural.ts'
import { State } from '../../ui/status-badge.tsx'
import type { Column } from '../../ui/tables/column.ts'
import { type Filters, useFilters } from '../../ui/tables/filters.ts'
import { ListTools } from '../../ui/tables/list-tools.tsx'
import { useListView } from '../../ui/tables/list-view.ts'
import { momentColumn } from '../../ui/tables/moment-column.tsx'
import { ResourcePage } from '../../ui/tables/resource-page.tsx'
import { useEach } from '../../ui/tables/use-each.ts'
import { AddForm } from './add-form.tsx'

const REASONS = {
  manual: ['gray', 'Manual'],
  bounce: ['red', 'Bounced'],
  complaint: ['amber', 'Complained'],
} as const

const FILTERS = ['q', 'reason'] as const

/** The team's suppressed addresses. */
export function SuppressionsPage() {
  const mayChange = useMay().change('Suppressions')
  const filters = useFilters(FILTERS)
  const view = useListView('suppressions', FACTS, FILTERS)
  const list = useList<Suppression>('/suppressions', {
    query: filters.filters,
    // Addresses that are searched for come in their own order.
    isOldestFirst: view.isOldestFirst && filters.filters.q === undefined,
  })
  const adding = useDialog('new', mayChange)
  return (
    <ResourcePage
      title="Suppressions"
      description="Sendwright sends no email of this team to these addresses. Hard bounces and complaints are added automatically."
      actions={<Actions query={filters.filters} mayChange={mayChange} onAdd={() => adding.open()} />}
      filters={
        <Group p="sm" gap="sm">
          <FilterFields filters={filters} />
          <ListTools view={view} />
        </Group>
      }
      view={view}
      list={list}
      labelOf={({ email }) => email}
      bulk={mayChange ? (entries, deselect) => <Remove entries={entries} onDone={deselect} /> : undefined}
      empty={{
        icon: IconForbid2,
        title: filters.isFiltered ? 'No matching addresses' : 'No suppressions yet',
        children: filters.isFiltered
          ? 'Clear a filter to see more.'
          : 'Addresses that bounce or report spam are added automatically, because sending to them again would harm your reputation.',
      }}
    >
      <AddForm isOpen={adding.isOpen} onClose={adding.close} />
    </ResourcePage>
  )
}

const FACTS: readonly Column<Suppression>[] = [
  { header: 'Address', render: ({ email }) => <span className="foreign">{email}</span> },
  { header: 'Reason', render: ({ reason }) => <Reason reason={reason} />, width: 130 },
  {
    header: 'Source',
    render: ({ source_email_id: id }) => (id === null ? '–' : <EmailLink id={id} />),
    isWide: true,
    width: 120,
  },
  momentColumn('Since', ({ created_at: at }) => at, { width: 200, isListOrder: true }),
]

function EmailLink({ id }: { id: string }) {
  const team = useTeam()
  return (
    <Anchor component={Link} to={`/${team.id}/emails/${id}`} size="sm">
      The email
    </Anchor>
  )
}

interface ActionsProps {
  query: Query
  mayChange: boolean
  onAdd(): void
}

function Actions({ query, mayChange, onAdd }: ActionsProps) {
  const team = useTeam()
  const save = () =>
    void saveFile('/suppressions/export', { teamId: team.id, query }, 'suppressions.csv').catch(notifyError)
  return (
    <>
      <Button variant="default" leftSection={<IconDownload />} onClick={save}>
        Export
      </Button>
      {mayChange && (
        <>
          <Button
            variant="default"
            leftSection={<IconUpload />}
            component={Link}
            to={`/${team.id}/imports/suppressions`}
          >
            Import
          </Button>
          <Button leftSection={<IconPlus />} onClick={onAdd}>
            Add addresses
          </Button>
        </>
      )}
    </>
  )
}

function FilterFields({ filters: { field, choice } }: { filters: Filters<'q' | 'reason'> }) {
  return (
    <>
      <TextInput
        aria-label="Address"
        placeholder="Addresses that begin with"
        leftSection={<IconSearch />}
        {...field('q')}
      />
      <Select
        aria-label="Reason"
        placeholder="Any reason"
        data={Object.entries(REASONS).map(([value, [, label]]) => ({ value, label }))}
        {...choice('reason')}
        w={160}
      />
    </>
  )
}

function Reason({ reason }: { reason: Suppression['reason'] }) {
  if (reason === null) return <Text size="sm">–</Text>
  const [color, word] = REASONS[reason]
  return <State tone={color}>{word}</State>
}

/** The API's limit per request. */
const COUNT_MAX = 1_000

interface RemoveProps {
  entries: readonly Suppression[]
  onDone(removed: readonly Suppression[]): void
}

/** Removes addresses from the list. The notification lets the user undo it. */
function Remove({ entries, onDone }: RemoveProps) {
  const [isRunning, setRunning] = useState(false)
  const change = useChange({ onError: notifyError })
  const reasons = useEach()
  /** Sends the addresses in parts. Returns those that were changed: all before a part that failed. */
  const send = async (verb: 'add' | 'remove', all: readonly Suppression[]) => {
    for (let at = 0; at < all.length; at += COUNT_MAX) {
      const emails = all.slice(at, at + COUNT_MAX).map(({ email }) => email)
      try {
        await change.mutateAsync({ path: `/suppressions/batch/${verb}`, method: 'POST', body: { emails } })
      } catch {
        return all.slice(0, at)
      }
    }
    return all
  }
  const restore = async (removed: readonly Suppression[]) => {
    // The API restores them with the reason `manual`, so the original reasons are set again afterwards.
    const others = (await send('add', removed)).filter(({ reason }) => reason !== 'manual')
    reasons.run(others, {
      changeOf: ({ email, reason }) => ({
        path: `/suppressions/${encodeURIComponent(email)}`,
        method: 'PATCH',
        body: { reason },
      }),
      describe: (count) => plural(count, 'Reason restored.', `${count} reasons restored.`),
      onDone: () => {},
    })
  }
  const remove = async () => {
    setRunning(true)
    const removed = await send('remove', entries)
    setRunning(false)
    if (removed.length === 0) return
    onDone(removed)
    notifyDone(
      plural(removed.length, 'Suppression removed.', `${removed.length} suppressions removed.`),
      () => void restore(removed),
    )
  }
  return (
    <Button variant="default" leftSection={<IconTrash />} loading={isRunning} onClick={() => void remove()}>
      Remove {entries.length.toLocaleString()}
    </Button>
  )
}
