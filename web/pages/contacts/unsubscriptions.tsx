import { ActionIcon, Group, Stack, Text, Tooltip } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { Contact, ContactList, Unsubscription } from '../../api/records.ts'
import { type ListOf, useChange, useGet, useMay } from '../../api/team.ts'
import { confirm } from '../../ui/forms/confirm.tsx'
import { Moment } from '../../ui/moment.tsx'
import { notifyDone, notifyError } from '../../ui/notifications.tsx'
import { Section } from '../../ui/page/section.tsx'

const SOURCES: Readonly<Record<string, string>> = {
  one_click: 'with one click in their mail client',
  link: 'with the link in an email',
  mail: 'with a reply to an email',
  api: 'with the API',
}

/** The topics that the contact unsubscribed from. Renders nothing without any. */
export function Unsubscriptions({ contact }: { contact: Contact }) {
  const { data } = useGet<ListOf<Unsubscription>>('/unsubscriptions', {
    query: { email: contact.email, limit: 100 },
  })
  if (data === undefined || data.data.length === 0) return null
  return (
    <Section title="Unsubscribed from" description="The contact gets no emails for these lists and topics.">
      <Stack gap="sm">
        {data.data.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </Stack>
    </Section>
  )
}

function Entry({ entry }: { entry: Unsubscription }) {
  const mayChange = useMay().change('Unsubscriptions')
  const change = useChange({
    touches: ['/contacts', '/lists'],
    onDone: () => notifyDone('Resubscribed.'),
    onError: notifyError,
  })
  const remove = () =>
    confirm({
      title: 'Resubscribe contact?',
      children: 'Resubscribe the contact only if they asked for it.',
      action: 'Resubscribe',
      onConfirm: () => change.mutate({ path: `/unsubscriptions/${entry.id}`, method: 'DELETE' }),
    })
  return (
    <Group justify="space-between" wrap="nowrap" align="flex-start">
      <div style={{ minWidth: 0 }}>
        <Text size="sm" className="foreign" fw={500}>
          {entry.topic ?? <NameOfList id={entry.list_id ?? ''} />}
        </Text>
        <Text size="xs" c="dimmed">
          <Moment at={entry.created_at} /> {SOURCES[entry.source] ?? entry.source}
        </Text>
      </div>
      {mayChange && (
        <Tooltip label="Resubscribe">
          <ActionIcon aria-label="Resubscribe" onClick={remove}>
            <IconX />
          </ActionIcon>
        </Tooltip>
      )}
    </Group>
  )
}

function NameOfList({ id }: { id: string }) {
  const { data } = useGet<ContactList>(`/lists/${id}`, { enabled: id !== '' })
  return <>The list {data === undefined ? id : `“${data.name}”`}</>
}
