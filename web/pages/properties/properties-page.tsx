import { ActionIcon, Badge, Button, Group, Text, Tooltip } from '@mantine/core'
import { IconPencil, IconPlus, IconTag, IconTrash } from '@tabler/icons-react'
import type { Property } from '../../api/records.ts'
import { useChange, useList, useMay } from '../../api/team.ts'
import { confirm } from '../../ui/confirm.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { useDialog } from '../../ui/dialog.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Moment } from '../../ui/moment.tsx'
import { tellDone, tellError } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { Section } from '../../ui/section.tsx'
import { PropertyForm } from './property-form.tsx'

/** What contacts can have beside their names. */
export function PropertiesPage() {
  const mayChange = useMay().change('Properties')
  const creating = useDialog('new', mayChange)
  const editing = useDialog('edit', mayChange)
  const list = useList<Property>('/properties')
  const edited = list.rows.find(({ id }) => id === editing.value) ?? null
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => creating.open()}>
      Add a property
    </Button>
  )
  const columns: readonly Column<Property>[] = [
    {
      header: 'Key',
      render: ({ key }) => (
        <Text className="code" fw={550}>
          {key}
        </Text>
      ),
    },
    { header: 'Type', render: ({ type }) => <Badge color="gray">{type}</Badge>, width: 100 },
    {
      header: 'Without a value',
      render: ({ fallback_value: value }) => <span className="foreign">{value ?? '–'}</span>,
      isWide: true,
    },
    { header: 'Added', render: ({ created_at }) => <Moment at={created_at} />, isWide: true, width: 200 },
    {
      header: 'Actions',
      hasActions: true,
      align: 'right',
      width: 88,
      render: (property) =>
        mayChange && <Actions property={property} onEdit={() => editing.open(property.id)} />,
    },
  ]
  return (
    <Page
      title="Properties"
      description="Fields of your own that contacts have: a plan, a birthday, a count. Segments ask for them."
      actions={mayChange && add}
    >
      <Section isFlush>
        <DataTable
          label="Properties"
          columns={columns}
          list={list}
          keyOf={({ id }) => id}
          empty={
            <EmptyState icon={IconTag} title="No property yet" action={mayChange && add}>
              For example <span className="code">plan</span>, a string, “free” for contacts without a value.
            </EmptyState>
          }
        />
      </Section>
      <PropertyForm isOpen={creating.isOpen} onClose={creating.close} property={null} />
      <PropertyForm isOpen={edited !== null} onClose={editing.close} property={edited} />
    </Page>
  )
}

function Actions({ property, onEdit }: { property: Property; onEdit: () => void }) {
  const change = useChange({ touches: ['/contacts'], onDone: () => tellDone(`${property.key} is removed.`) })
  const remove = () =>
    confirm({
      title: `Remove ${property.key}?`,
      children:
        'Every contact loses its value, for good. A property that a segment asks for cannot be removed.',
      action: 'Remove the property',
      onConfirm: () =>
        change.mutate({ path: `/properties/${property.id}`, method: 'DELETE' }, { onError: tellError }),
    })
  return (
    <Group gap={2} justify="flex-end" wrap="nowrap">
      <Tooltip label="Change">
        <ActionIcon aria-label={`Change ${property.key}`} onClick={onEdit}>
          <IconPencil size={16} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Remove">
        <ActionIcon aria-label={`Remove ${property.key}`} onClick={remove}>
          <IconTrash size={16} />
        </ActionIcon>
      </Tooltip>
    </Group>
  )
}
