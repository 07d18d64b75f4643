import { ActionIcon, Group, Text, Tooltip } from '@mantine/core'
import { IconPencil, IconTrash, IconUserEdit } from '@tabler/icons-react'
import type { Domain, Sender } from '../../api/records.ts'
import { useList, useMay } from '../../api/team.ts'
import { useAll } from '../../api/whole-lists.ts'
import { useDialog } from '../../ui/forms/dialog.ts'
import { useDelete } from '../../ui/forms/use-delete.ts'
import { actionsColumn, type Column } from '../../ui/tables/column.ts'
import { momentColumn } from '../../ui/tables/moment-column.tsx'
import { AddButton, ResourcePage } from '../../ui/tables/resource-page.tsx'
import { SenderForm } from './sender-form.tsx'

/** The senders of templates and campaigns. */
export function SendersPage() {
  const mayChange = useMay().change('Senders')
  const creating = useDialog('new', mayChange)
  const editing = useDialog('edit', mayChange)
  const list = useList<Sender>('/senders')
  const domains = useAll<Domain>('/domains')
  const sender = list.rows.find(({ id }) => id === editing.value) ?? null
  const columns: readonly Column<Sender>[] = [
    ...FACTS,
    actionsColumn(
      (sender) => mayChange && <Actions sender={sender} onEdit={() => editing.open(sender.id)} />,
      88,
    ),
  ]
  return (
    <ResourcePage
      title="Senders"
      description="A sender is a name and an address at one of your domains. Templates and campaigns need one. Over the API, you can send from any address of a verified domain."
      add={mayChange && <AddButton dialog={creating}>Add sender</AddButton>}
      columns={columns}
      list={list}
      empty={{
        icon: IconUserEdit,
        title: 'No senders yet',
        children:
          'For example, “Acme Support” with an address such as support@ your domain. Every template needs a sender.',
      }}
    >
      <SenderForm
        isOpen={creating.isOpen}
        onClose={creating.close}
        sender={null}
        domains={domains.data ?? []}
      />
      <SenderForm
        isOpen={sender !== null}
        onClose={editing.close}
        sender={sender}
        domains={domains.data ?? []}
      />
    </ResourcePage>
  )
}

const FACTS: readonly Column<Sender>[] = [
  { header: 'Name', render: ({ name }) => <span className="foreign">{name}</span> },
  {
    header: 'Address',
    render: ({ email }) => (
      <Text size="sm" className="foreign">
        {email}
      </Text>
    ),
  },
  {
    header: 'Reply-To',
    render: ({ reply_to }) => <span className="foreign">{reply_to}</span>,
    isWide: true,
  },
  momentColumn('Added', ({ created_at: at }) => at, { width: 190 }),
]

function Actions({ sender, onEdit }: { sender: Sender; onEdit: () => void }) {
  const remove = useDelete({
    path: `/senders/${sender.id}`,
    title: `Delete ${sender.name}?`,
    children: 'You cannot delete a sender that templates, campaigns or automations use.',
    action: 'Delete sender',
    done: `Sender ${sender.email} deleted.`,
  })
  return (
    <Group gap="hair" justify="flex-end" wrap="nowrap">
      <Tooltip label="Edit">
        <ActionIcon aria-label={`Edit ${sender.name}`} onClick={onEdit}>
          <IconPencil />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Delete">
        <ActionIcon aria-label={`Delete ${sender.name}`} onClick={remove}>
          <IconTrash />
        </ActionIcon>
      </Tooltip>
    </Group>
  )
}
