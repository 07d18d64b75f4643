import { Alert, Button, Checkbox, Group, List, Modal, Stack, TextInput } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import type { Contact, Erasure } from '../../api/records.ts'
import { useChange, useTeam } from '../../api/team.ts'
import { ErrorNote } from '../../ui/page/error-note.tsx'

interface EraseDialogProps {
  contact: Contact
  isOpen: boolean
  onClose(): void
}

/** Erases a person's data. The user types the address, to confirm that it is the right one. */
export function EraseDialog({ contact, isOpen, onClose }: EraseDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Erase this person everywhere?" size="lg">
      <Fields contact={contact} onClose={onClose} />
    </Modal>
  )
}

function Fields({ contact, onClose }: Omit<EraseDialogProps, 'isOpen'>) {
  const team = useTeam()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [keepsSuppressed, setKeepsSuppressed] = useState(false)
  const isConfirmed = typed.trim().toLowerCase() === contact.email.toLowerCase()
  const change = useChange<Erasure>({
    touches: ['/lists', '/segments', '/suppressions'],
    onDone: ({ id }) => void navigate({ to: `/${team.id}/erasures/${id}` }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isConfirmed) return
    change.mutate({
      path: `/contacts/${contact.id}/erase`,
      method: 'POST',
      body: { keep_suppressed: keepsSuppressed },
    })
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Consequences />
        <Checkbox
          label="Suppress this address"
          description="If unchecked, an existing suppression stays in place."
          checked={keepsSuppressed}
          onChange={(event) => setKeepsSuppressed(event.currentTarget.checked)}
        />
        <TextInput
          label={
            <>
              To continue, type <span className="code foreign">{contact.email}</span>
            </>
          }
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <ErrorNote error={change.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" color="red" disabled={!isConfirmed} loading={change.isPending}>
            Erase person
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function Consequences() {
  return (
    <Alert color="red" icon={<IconAlertTriangle />} title="This can’t be undone">
      <List size="sm" spacing="xxs">
        <List.Item>The contact is deleted, with its properties and list memberships.</List.Item>
        <List.Item>
          The content of every email to the address is deleted. Waiting emails are canceled.
        </List.Item>
        <List.Item>Metrics are kept: they count the emails without the recipient.</List.Item>
      </List>
    </Alert>
  )
}
