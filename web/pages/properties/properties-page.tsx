import { ActionIcon, Badge, Group, Text, Tooltip } from '@mantine/core'
import { IconPencil, IconTag, IconTrash } from '@tabler/icons-react'
import type { Property } from '../../api/records.ts'
import { useList, useMay } from '../../api/team.ts'
import { useDialog } from '../../ui/forms/dialog.ts'
import { useDelete } from '../../ui/forms/use-delete.ts'
import { actionsColumn, type Column } from '../../ui/tables/column.ts'
import { momentColumn } from '../../ui/tables/moment-column.tsx'
import { AddButton, ResourcePage } from '../../ui/tables/resource-page.tsx'
import { PropertyForm } from './property-form.tsx'

const FACTS: readonly Column<Property>[] = [
  {
    header: 'Key',
    render: ({ key }) => (
      <Text className="code" fw={500}>
        {key}
      </Text>
    ),
  },
  { header: 'Type', render: ({ type }) => <Badge>{type}</Badge>, width: 100 },
  {
    header: 'Fallback',
    render: ({ fallback_value: value }) => <span className="foreign">{value ?? '–'}</span>,
    isWide: true,
  },
  momentColumn('Added', ({ created_at: at }) => at, { width: 200 }),
]

/** The team's contact properties. */
export function PropertiesPage() {
  const mayChange = useMay().change('Properties')
  const creating = useDialog('new', mayChange)
  const editing = useDialog('edit', mayChange)
  const list = useList<Property>('/properties')
  const property = list.rows.find(({ id }) => id === editing.value) ?? null
  const columns: readonly Column<Property>[] = [
    ...FACTS,
    actionsColumn(
      (property) => mayChange && <Actions property={property} onEdit={() => editing.open(property.id)} />,
      88,
    ),
  ]
  return (
    <ResourcePage
      title="Properties"
      description="Custom fields of contacts, such as a plan, a birthday or a count. Segments can use them as conditions."
      add={mayChange && <AddButton dialog={creating}>Add property</AddButton>}
      columns={columns}
      list={list}
      empty={{
        icon: IconTag,
        title: 'No properties yet',
        children: (
          <>
            For example <span className="code">plan</span>, a string with the fallback “free”.
          </>
        ),
      }}
    >
      <PropertyForm isOpen={creating.isOpen} onClose={creating.close} property={null} />
      <PropertyForm isOpen={property !== null} onClose={editing.close} property={property} />
    </ResourcePage>
  )
}

function Actions({ property, onEdit }: { property: Property; onEdit: () => void }) {
  const remove = useDelete({
    path: `/properties/${property.id}`,
    touches: ['/contacts'],
    title: `Delete ${property.key}?`,
    children:
      'The property’s values are deleted from all contacts. This can’t be undone. You cannot delete a property that a segment uses.',
    action: 'Delete property',
    done: `Property ${property.key} deleted.`,
  })
  return (
    <Group gap="hair" justify="flex-end" wrap="nowrap">
      <Tooltip label="Edit">
        <ActionIcon aria-label={`Edit ${property.key}`} onClick={onEdit}>
          <IconPencil />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Delete">
        <ActionIcon aria-label={`Delete ${property.key}`} onClick={remove}>
          <IconTrash />
        </ActionIcon>
      </Tooltip>
    </Group>
  )
}
