import { Anchor, Badge, Button, Checkbox, Group, Select, Text, TextInput } from '@mantine/core'
import { IconDownload, IconForbid2, IconPlus, IconSearch, IconTrash, IconUpload } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Suppression } from '../../api/records.ts'
import { type Query, saveFile } from '../../api/request.ts'
import { useChange, useList, useMay, useTeam } from '../../api/team.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { useDialog } from '../../ui/dialog.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { type Filters, useFilters } from '../../ui/filters.ts'
import { Moment } from '../../ui/moment.tsx'
import { tellDone, tellError } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { Section } from '../../ui/section.tsx'
import { AddForm } from './add-form.tsx'

const REASONS = {
  manual: ['gray', 'By hand'],
  bounce: ['red', 'Bounced'],
  complaint: ['orange', 'Complained'],
} as const

/** The addresses that get no email. */
export function SuppressionsPage() {
  const team = useTeam()
  const mayChange = useMay().change('Suppressions')
  const filters = useFilters(['q', 'reason'])
  const list = useList<Suppression>('/suppressions', { query: filters.filters })
  const adding = useDialog('new', mayChange)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const toggle = (email: string) => setChosen((before) => toggled(before, email))
  const columns: readonly Column<Suppression>[] = [
    ...(mayChange ? [chooseColumn(chosen, toggle)] : []),
    { header: 'Address', render: ({ email }) => <span className="foreign">{email}</span> },
    { header: 'Why', render: ({ reason }) => <Reason reason={reason} />, width: 130 },
    {
      header: 'Source',
      render: ({ source_email_id: id }) =>
        id === null ? (
          '–'
        ) : (
          <Anchor component={Link} to={`/${team.id}/emails/${id}`} size="sm">
            The email
          </Anchor>
        ),
      isWide: true,
      width: 120,
    },
    { header: 'Since', render: ({ created_at }) => <Moment at={created_at} />, isWide: true, width: 200 },
  ]
  return (
    <Page
      title="Suppressions"
      description="These addresses get no email of this team, whatever is sent to them. Hard bounces and complaints come here by themselves."
      actions={<Actions query={filters.filters} mayChange={mayChange} onAdd={() => adding.open()} />}
    >
      <Section isFlush>
        <Group p="sm" gap="sm">
          <FilterFields filters={filters} />
          {chosen.size > 0 && (
            <Remove
              entries={list.rows.filter(({ email }) => chosen.has(email))}
              onDone={() => setChosen(new Set())}
            />
          )}
        </Group>
        <DataTable
          label="Suppressions"
          columns={columns}
          list={list}
          keyOf={({ id }) => id}
          empty={
            <EmptyState
              icon={IconForbid2}
              title={filters.isFiltered ? 'No address fits' : 'Nobody is suppressed'}
            >
              {filters.isFiltered
                ? 'Take a filter away to see more.'
                : 'An address that does not exist, or whose owner reported an email as spam, is added by itself: sending there again would harm your reputation.'}
            </EmptyState>
          }
        />
      </Section>
      <AddForm isOpen={adding.isOpen} onClose={adding.close} />
    </Page>
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
    void saveFile('/suppressions/export', { teamId: team.id, query }, 'suppressions.csv').catch(tellError)
  return (
    <>
      <Button variant="default" leftSection={<IconDownload size={16} />} onClick={save}>
        Export
      </Button>
      {mayChange && (
        <>
          <Button
            variant="default"
            leftSection={<IconUpload size={16} />}
            component={Link}
            to={`/${team.id}/imports/suppressions`}
          >
            Import
          </Button>
          <Button leftSection={<IconPlus size={16} />} onClick={onAdd}>
            Add addresses
          </Button>
        </>
      )}
    </>
  )
}

function FilterFields({ filters: { filters, draft, setFilter } }: { filters: Filters<'q' | 'reason'> }) {
  return (
    <>
      <TextInput
        aria-label="Address"
        placeholder="Addresses that begin with"
        leftSection={<IconSearch size={15} />}
        value={draft.q ?? ''}
        onChange={(event) => setFilter('q', event.currentTarget.value)}
      />
      <Select
        aria-label="Reason"
        placeholder="Any reason"
        clearable
        data={Object.entries(REASONS).map(([value, [, label]]) => ({ value, label }))}
        value={filters.reason ?? null}
        onChange={(value) => setFilter('reason', value ?? '')}
        w={160}
      />
    </>
  )
}

function toggled(before: ReadonlySet<string>, email: string): ReadonlySet<string> {
  const after = new Set(before)
  if (!after.delete(email)) after.add(email)
  return after
}

function chooseColumn(chosen: ReadonlySet<string>, toggle: (email: string) => void): Column<Suppression> {
  return {
    header: 'Choose',
    hasActions: true,
    width: 44,
    render: ({ email }) => (
      <Checkbox
        aria-label={`Choose ${email}`}
        checked={chosen.has(email)}
        onChange={() => toggle(email)}
        size="xs"
      />
    ),
  }
}

function Reason({ reason }: { reason: Suppression['reason'] }) {
  if (reason === null) return <Text size="sm">–</Text>
  const [color, word] = REASONS[reason]
  return <Badge color={color}>{word}</Badge>
}

/** Takes addresses off the list; they can be put back. */
function Remove({ entries, onDone }: { entries: readonly Suppression[]; onDone: () => void }) {
  const emails = entries.map(({ email }) => email)
  const reason = useChange()
  // Added again they are suppressed by hand: why they were before is said after that.
  const restore = useChange({
    onDone: () => {
      for (const entry of entries)
        if (entry.reason !== 'manual')
          reason.mutate(
            {
              path: `/suppressions/${encodeURIComponent(entry.email)}`,
              method: 'PATCH',
              body: { reason: entry.reason },
            },
            { onError: tellError },
          )
    },
  })
  const change = useChange({
    onDone: () => {
      onDone()
      tellDone(
        emails.length === 1 ? 'It gets email again.' : `${emails.length} addresses get email again.`,
        () =>
          restore.mutate(
            { path: '/suppressions/batch/add', method: 'POST', body: { emails } },
            { onError: tellError },
          ),
      )
    },
  })
  return (
    <Button
      variant="default"
      leftSection={<IconTrash size={16} />}
      loading={change.isPending}
      onClick={() =>
        change.mutate(
          { path: '/suppressions/batch/remove', method: 'POST', body: { emails } },
          { onError: tellError },
        )
      }
    >
      Remove {emails.length}
    </Button>
  )
}
