import { ActionIcon, Anchor, Button, Group, Stack, Text, Tooltip } from '@mantine/core'
import { IconUserMinus } from '@tabler/icons-react'
import { useState } from 'react'
import type { Contact } from '../../api/records.ts'
import { useChange, useMay, useTeam } from '../../api/team.ts'
import { ListChoice } from '../../ui/forms/list-choice.tsx'
import { Link } from '../../ui/link.tsx'
import { notifyDone, notifyError } from '../../ui/notifications.tsx'
import { Section } from '../../ui/page/section.tsx'

/** The lists that the contact belongs to. */
export function ContactLists({ contact }: { contact: Contact }) {
  const team = useTeam()
  // In the API, adding and removing lists is a change of the contact.
  const mayChange = useMay().change('Contacts')
  return (
    <Section title="Lists">
      <Stack gap="xs">
        {contact.lists.length === 0 && (
          <Text size="sm" c="dimmed">
            Not in any list.
          </Text>
        )}
        {contact.lists.map((list) => (
          <Group key={list.id} justify="space-between" wrap="nowrap">
            <Anchor component={Link} to={`/${team.id}/lists/${list.id}`} size="sm" className="foreign">
              {list.name}
            </Anchor>
            {mayChange && <Leave contact={contact} list={list} />}
          </Group>
        ))}
        {mayChange && <Join contact={contact} />}
      </Stack>
    </Section>
  )
}

function Leave({ contact, list }: { contact: Contact; list: Contact['lists'][number] }) {
  const join = useChange({ touches: ['/lists'], onError: notifyError })
  const leave = useChange({
    touches: ['/lists'],
    onError: notifyError,
    onDone: () =>
      notifyDone(`Removed from “${list.name}”.`, () =>
        join.mutate({ path: `/contacts/${contact.id}/lists`, method: 'POST', body: { list_ids: [list.id] } }),
      ),
  })
  return (
    <Tooltip label="Remove from the list">
      <ActionIcon
        aria-label={`Remove from ${list.name}`}
        onClick={() => leave.mutate({ path: `/contacts/${contact.id}/lists/${list.id}`, method: 'DELETE' })}
      >
        <IconUserMinus />
      </ActionIcon>
    </Tooltip>
  )
}

function Join({ contact }: { contact: Contact }) {
  const [listIds, setListIds] = useState<string[]>([])
  const join = useChange({
    touches: ['/lists'],
    onError: notifyError,
    onDone: () => {
      setListIds([])
      notifyDone('Contact added to the list.')
    },
  })
  const add = () =>
    join.mutate({ path: `/contacts/${contact.id}/lists`, method: 'POST', body: { list_ids: listIds } })
  return (
    <Group align="flex-end" gap="xs" mt="xxs">
      <div style={{ flex: 1, minWidth: 0 }}>
        <ListChoice
          label="Add to lists"
          value={listIds}
          onChange={setListIds}
          leftOut={contact.lists.map(({ id }) => id)}
        />
      </div>
      {listIds.length > 0 && (
        <Button variant="default" onClick={add} loading={join.isPending}>
          Add
        </Button>
      )}
    </Group>
  )
}
