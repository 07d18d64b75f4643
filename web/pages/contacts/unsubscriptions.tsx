import { ActionIcon, Group, Stack, Text, Tooltip } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { Contact, ContactList, Unsubscription } from '../../api/records.ts'
import { type ListOf, useChange, useGet, useMay } from '../../api/team.ts'
import { confirm } from '../../ui/confirm.tsx'
import { Moment } from '../../ui/moment.tsx'
import { tellDone, tellError } from '../../ui/notices.tsx'
import { Section } from '../../ui/section.tsx'

const SOURCES: Readonly<Record<string, string>> = {
  one_click: 'by one click in their mail program',
  link: 'by the link in an email',
  mail: 'by an answer to an email',
  api: 'by the API',
}

/** What the person wants no more of; nothing is shown where that is nothing. */
export function Unsubscriptions({ contact }: { contact: Contact }) {
  const { data } = useGet<ListOf<Unsubscription>>('/unsubscriptions', {
    query: { email: contact.email, limit: 100 },
  })
  if (data === undefined || data.data.length === 0) return null
  return (
    <Section title="Unsubscribed from" description="Emails of these lists and topics are not sent to them.">
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
    onDone: () => tellDone('They get it again.'),
  })
  const remove = () =>
    confirm({
      title: 'Let them get it again?',
      children: 'Only when they asked for it: they said that they want it no more.',
      action: 'Let them get it again',
      onConfirm: () =>
        change.mutate({ path: `/unsubscriptions/${entry.id}`, method: 'DELETE' }, { onError: tellError }),
    })
  return (
    <Group justify="space-between" wrap="nowrap" align="flex-start">
      <div style={{ minWidth: 0 }}>
        <Text size="sm" className="foreign" fw={550}>
          {entry.topic ?? <NameOfList id={entry.list_id ?? ''} />}
        </Text>
        <Text size="xs" c="dimmed">
          <Moment at={entry.created_at} /> {SOURCES[entry.source] ?? entry.source}
        </Text>
      </div>
      {mayChange && (
        <Tooltip label="Let them get it again">
          <ActionIcon aria-label="Let them get it again" onClick={remove}>
            <IconX size={16} />
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
