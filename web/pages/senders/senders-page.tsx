import { ActionIcon, Button, Group, Text, Tooltip } from '@mantine/core'
import { IconPencil, IconPlus, IconTrash, IconUserEdit } from '@tabler/icons-react'
import type { Domain, Sender } from '../../api/records.ts'
import { useChange, useList, useMay } from '../../api/team.ts'
import { useAll } from '../../api/whole-lists.ts'
import { confirm } from '../../ui/forms/confirm.tsx'
import { useDialog } from '../../ui/forms/dialog.ts'
import { Moment } from '../../ui/moment.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { notifyDone, notifyError } from '../../ui/page/notifications.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Section } from '../../ui/page/section.tsx'
import type { Column } from '../../ui/tables/column.ts'
import { DataTable } from '../../ui/tables/data-table.tsx'
import { SenderForm } from './sender-form.tsx'
import { texts } from './texts.ts'

/** The senders of templates and campaigns. */
export function SendersPage() {
  const mayChange = useMay().change('Senders')
  const creating = useDialog('new', mayChange)
  const editing = useDialog('edit', mayChange)
  const list = useList<Sender>('/senders')
  const domains = useAll<Domain>('/domains')
  const edited = list.rows.find(({ id }) => id === editing.value) ?? null
  const add = (
    <Button leftSection={<IconPlus />} onClick={() => creating.open()}>
      {texts.page.addASender}
    </Button>
  )
  const columns: readonly Column<Sender>[] = [
    ...FACTS,
    {
      header: texts.page.actions,
      hasActions: true,
      align: 'right',
      width: 88,
      render: (sender) => mayChange && <Actions sender={sender} onEdit={() => editing.open(sender.id)} />,
    },
  ]
  return (
    <Page title={texts.page.senders} description={texts.page.senderNameAddressOne} actions={mayChange && add}>
      <Section isFlush>
        <DataTable
          label={texts.page.senders}
          columns={columns}
          list={list}
          keyOf={({ id }) => id}
          empty={
            <EmptyState icon={IconUserEdit} title={texts.page.noSendersYet} action={mayChange && add}>
              {texts.page.exampleAcmeSupportAddress}
            </EmptyState>
          }
        />
      </Section>
      <SenderForm
        isOpen={creating.isOpen}
        onClose={creating.close}
        sender={null}
        domains={domains.data ?? []}
      />
      <SenderForm
        isOpen={edited !== null}
        onClose={editing.close}
        sender={edited}
        domains={domains.data ?? []}
      />
    </Page>
  )
}

const FACTS: readonly Column<Sender>[] = [
  { header: texts.page.name, render: ({ name }) => <span className="foreign">{name}</span> },
  {
    header: texts.page.address,
    render: ({ email }) => (
      <Text size="sm" className="foreign">
        {email}
      </Text>
    ),
  },
  {
    header: texts.page.replyTo,
    render: ({ reply_to }) => <span className="foreign">{reply_to}</span>,
    isWide: true,
  },
  {
    header: texts.page.added,
    render: ({ created_at }) => <Moment at={created_at} />,
    isWide: true,
    width: 190,
  },
]

function Actions({ sender, onEdit }: { sender: Sender; onEdit: () => void }) {
  const change = useChange({ onDone: () => notifyDone(texts.page.senderRemoved(sender.email)) })
  const remove = () =>
    confirm({
      title: texts.page.removeQuestion(sender.name),
      children: texts.page.cannotRemoveSenderTemplates,
      action: texts.page.removeTheSender,
      onConfirm: () =>
        change.mutate({ path: `/senders/${sender.id}`, method: 'DELETE' }, { onError: notifyError }),
    })
  return (
    <Group gap="hair" justify="flex-end" wrap="nowrap">
      <Tooltip label={texts.page.change}>
        <ActionIcon aria-label={texts.page.changeName(sender.name)} onClick={onEdit}>
          <IconPencil />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={texts.page.remove}>
        <ActionIcon aria-label={texts.page.removeSenderNamed(sender.name)} onClick={remove}>
          <IconTrash />
        </ActionIcon>
      </Tooltip>
    </Group>
  )
}
