import { Button } from '@mantine/core'
import { IconListDetails, IconPlus } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { ContactList } from '../../api/records.ts'
import { useList, useMay, useTeam } from '../../api/team.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { useDialog } from '../../ui/dialog.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Moment } from '../../ui/moment.tsx'
import { NameForm } from '../../ui/name-form.tsx'
import { Page } from '../../ui/page.tsx'
import { Section } from '../../ui/section.tsx'

const COLUMNS: readonly Column<ContactList>[] = [
  { header: 'Name', render: ({ name }) => <span className="foreign">{name}</span> },
  {
    header: 'Contacts',
    render: ({ contact_count: count }) => count.toLocaleString(),
    width: 120,
    align: 'right',
  },
  { header: 'Created', render: ({ created_at }) => <Moment at={created_at} />, width: 200, isWide: true },
]

/** Contacts that are addressed together. */
export function ListsPage() {
  const team = useTeam()
  const mayChange = useMay().change('Lists')
  const navigate = useNavigate()
  const creating = useDialog('new', mayChange)
  const list = useList<ContactList>('/lists')
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => creating.open()}>
      Create a list
    </Button>
  )
  return (
    <Page
      title="Lists"
      description="A contact is in a list because somebody put it there. A segment holds whoever fits its conditions."
      actions={mayChange && add}
    >
      <Section isFlush>
        <DataTable
          label="Lists"
          columns={COLUMNS}
          list={list}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/${team.id}/lists/${id}`}
          empty={
            <EmptyState icon={IconListDetails} title="No list yet" action={mayChange && add}>
              For example “Newsletter”. Contacts join it by the API, by an import, or by hand.
            </EmptyState>
          }
        />
      </Section>
      <NameForm<ContactList>
        isOpen={creating.isOpen}
        onClose={creating.close}
        title="Create a list"
        given={null}
        path="/lists"
        onDone={({ id }) => void navigate({ to: `/${team.id}/lists/${id}` })}
      />
    </Page>
  )
}
