import { Button, Group } from '@mantine/core'
import { IconListDetails, IconPlus } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { ContactList } from '../../api/records.ts'
import { useList, useMay, useTeam } from '../../api/team.ts'
import { useDialog } from '../../ui/forms/dialog.ts'
import { NameForm } from '../../ui/forms/name-form.tsx'
import { Moment } from '../../ui/moment.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Section } from '../../ui/page/section.tsx'
import type { Column } from '../../ui/tables/column.ts'
import { DataTable } from '../../ui/tables/data-table.tsx'
import { ListTools } from '../../ui/tables/list-tools.tsx'
import { useListView } from '../../ui/tables/list-view.ts'

const COLUMNS: readonly Column<ContactList>[] = [
  {
    header: 'Name',
    render: ({ name }) => <span className="foreign">{name}</span>,
    sortOf: ({ name }) => name,
  },
  {
    header: 'Contacts',
    render: ({ contact_count: count }) => count.toLocaleString(),
    width: 120,
    align: 'right',
    sortOf: ({ contact_count: count }) => count,
  },
  {
    header: 'Created',
    render: ({ created_at }) => <Moment at={created_at} />,
    isListOrder: true,
    width: 200,
    isWide: true,
  },
]

/** The team's lists. */
export function ListsPage() {
  const team = useTeam()
  const mayChange = useMay().change('Lists')
  const navigate = useNavigate()
  const creating = useDialog('new', mayChange)
  const view = useListView('lists', COLUMNS, [])
  const list = useList<ContactList>('/lists', { isOldestFirst: view.isOldestFirst })
  const add = (
    <Button leftSection={<IconPlus />} onClick={() => creating.open()}>
      Create list
    </Button>
  )
  return (
    <Page
      title="Lists"
      description="You add contacts to a list yourself. For contacts that match conditions, use a segment."
      actions={mayChange && add}
    >
      <Section isFlush>
        <Group p="xs">
          <ListTools view={view} />
        </Group>
        <DataTable
          label="Lists"
          view={view}
          list={list}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/${team.id}/lists/${id}`}
          empty={
            <EmptyState icon={IconListDetails} title="No lists yet" action={mayChange && add}>
              Create a list, such as “Newsletter”. Then add contacts here, over the API, or with an import.
            </EmptyState>
          }
        />
      </Section>
      <NameForm<ContactList>
        isOpen={creating.isOpen}
        onClose={creating.close}
        title="Create list"
        given={null}
        path="/lists"
        onDone={({ id }) => void navigate({ to: `/${team.id}/lists/${id}` })}
      />
    </Page>
  )
}
