import { ActionIcon, Badge, Button, Group, Text, Tooltip } from '@mantine/core'
import { IconPencil, IconPlus, IconTag, IconTrash } from '@tabler/icons-react'
import type { Property } from '../../api/records.ts'
import { useChange, useList, useMay } from '../../api/team.ts'
import { confirm } from '../../ui/forms/confirm.tsx'
import { useDialog } from '../../ui/forms/dialog.ts'
import { Moment } from '../../ui/moment.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { notifyDone, notifyError } from '../../ui/page/notifications.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Section } from '../../ui/page/section.tsx'
import type { Column } from '../../ui/tables/column.ts'
import { DataTable } from '../../ui/tables/data-table.tsx'
import { PropertyForm } from './property-form.tsx'
import { texts } from './texts.ts'

const FACTS: readonly Column<Property>[] = [
  {
    header: texts.page.key,
    render: ({ key }) => (
      <Text className="code" fw={500}>
        {key}
      </Text>
    ),
  },
  { header: texts.page.type, render: ({ type }) => <Badge>{type}</Badge>, width: 100 },
  {
    header: texts.page.fallback,
    render: ({ fallback_value: value }) => <span className="foreign">{value ?? '–'}</span>,
    isWide: true,
  },
  {
    header: texts.page.added,
    render: ({ created_at }) => <Moment at={created_at} />,
    isWide: true,
    width: 200,
  },
]

/** The team's contact properties. */
export function PropertiesPage() {
  const mayChange = useMay().change('Properties')
  const creating = useDialog('new', mayChange)
  const editing = useDialog('edit', mayChange)
  const list = useList<Property>('/properties')
  const edited = list.rows.find(({ id }) => id === editing.value) ?? null
  const add = (
    <Button leftSection={<IconPlus />} onClick={() => creating.open()}>
      {texts.page.addAProperty}
    </Button>
  )
  const columns: readonly Column<Property>[] = [
    ...FACTS,
    {
      header: texts.page.actions,
      hasActions: true,
      align: 'right',
      width: 88,
      render: (property) =>
        mayChange && <Actions property={property} onEdit={() => editing.open(property.id)} />,
    },
  ]
  return (
    <Page
      title={texts.page.properties}
      description={texts.page.customFieldsContactsSuch}
      actions={mayChange && add}
    >
      <Section isFlush>
        <DataTable
          label={texts.page.properties}
          columns={columns}
          list={list}
          keyOf={({ id }) => id}
          empty={
            <EmptyState icon={IconTag} title={texts.page.noPropertiesYet} action={mayChange && add}>
              {texts.page.forExample} <span className="code">{texts.page.plan}</span>
              {texts.page.stringFallbackFree}
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
  const change = useChange({
    touches: ['/contacts'],
    onDone: () => notifyDone(texts.page.propertyRemoved(property.key)),
  })
  const remove = () =>
    confirm({
      title: texts.page.removeQuestion(property.key),
      children: texts.page.propertysValuesDeletedFrom,
      action: texts.page.removeTheProperty,
      onConfirm: () =>
        change.mutate({ path: `/properties/${property.id}`, method: 'DELETE' }, { onError: notifyError }),
    })
  return (
    <Group gap="hair" justify="flex-end" wrap="nowrap">
      <Tooltip label={texts.page.change}>
        <ActionIcon aria-label={texts.page.changeKey(property.key)} onClick={onEdit}>
          <IconPencil />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={texts.page.remove}>
        <ActionIcon aria-label={texts.page.removeProperty(property.key)} onClick={remove}>
          <IconTrash />
        </ActionIcon>
      </Tooltip>
    </Group>
  )
}
