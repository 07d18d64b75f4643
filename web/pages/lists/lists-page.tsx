import { IconListDetails } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { ContactList } from '../../api/records.ts'
import { useList, useMay, useTeam } from '../../api/team.ts'
import { useDialog } from '../../ui/forms/dialog.ts'
import { NameForm } from '../../ui/forms/name-form.tsx'
import type { Column } from '../../ui/tables/column.ts'
import { useListView } from '../../ui/tables/list-view.ts'
import { momentColumn } from '../../ui/tables/moment-column.tsx'
import { AddButton, ResourcePage } from '../../ui/tables/resource-page.tsx'

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
  momentColumn('Created', ({ created_at: at }) => at, { isListOrder: true, width: 200 }),
]

/** The team's lists. */
export function ListsPage() {
  const team = useTeam()
  const mayChange = useMay().change('Lists')
  const navigate = useNavigate()
  const creating = useDialog('new', mayChange)
  const view = useListView('lists', COLUMNS, [])
  const list = useList<ContactList>('/lists', { isOldestFirst: view.isOldestFirst })
  return (
    <ResourcePage
      title="Lists"
      description="You add contacts to a list yourself. For contacts that match conditions, use a segment."
      add={mayChange && <AddButton dialog={creating}>Create list</AddButton>}
      view={view}
      list={list}
      linkOf={({ id }) => `/${team.id}/lists/${id}`}
      empty={{
        icon: IconListDetails,
        title: 'No lists yet',
        children:
          'Create a list, such as “Newsletter”. Then add contacts here, over the API, or with an import.',
      }}
    >
      <NameForm<ContactList>
        isOpen={creating.isOpen}
        onClose={creating.close}
        title="Create list"
        record={null}
        path="/lists"
        onDone={({ id }) => void navigate({ to: `/${team.id}/lists/${id}` })}
      />
    </ResourcePage>
  )
}
