import { ActionIcon, Group, Stack, Text, Tooltip } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { Contact, ContactList, Unsubscription } from '../../api/records.ts'
import { type ListOf, useChange, useGet, useMay } from '../../api/team.ts'
import { confirm } from '../../ui/forms/confirm.tsx'
import { Moment } from '../../ui/moment.tsx'
import { notifyDone, notifyError } from '../../ui/page/notifications.tsx'
import { Section } from '../../ui/page/section.tsx'
import { texts } from './texts.ts'

const SOURCES: Readonly<Record<string, string>> = texts.unsubscriptions.sources

/** The topics that the contact unsubscribed from. Renders nothing without any. */
export function Unsubscriptions({ contact }: { contact: Contact }) {
  const { data } = useGet<ListOf<Unsubscription>>('/unsubscriptions', {
    query: { email: contact.email, limit: 100 },
  })
  if (data === undefined || data.data.length === 0) return null
  return (
    <Section
      title={texts.unsubscriptions.unsubscribedFrom}
      description={texts.unsubscriptions.contactGetsNoEmails}
    >
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
    onDone: () => notifyDone(texts.unsubscriptions.resubscribed),
  })
  const remove = () =>
    confirm({
      title: texts.unsubscriptions.resubscribeTheContact,
      children: texts.unsubscriptions.resubscribeContactOnlyIf,
      action: texts.unsubscriptions.resubscribe,
      onConfirm: () =>
        change.mutate({ path: `/unsubscriptions/${entry.id}`, method: 'DELETE' }, { onError: notifyError }),
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
        <Tooltip label={texts.unsubscriptions.resubscribe}>
          <ActionIcon aria-label={texts.unsubscriptions.resubscribe} onClick={remove}>
            <IconX />
          </ActionIcon>
        </Tooltip>
      )}
    </Group>
  )
}

function NameOfList({ id }: { id: string }) {
  const { data } = useGet<ContactList>(`/lists/${id}`, { enabled: id !== '' })
  return <>{texts.unsubscriptions.theList(data === undefined ? id : `“${data.name}”`)}</>
}
