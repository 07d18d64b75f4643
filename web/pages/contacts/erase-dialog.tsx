import { Alert, Button, Checkbox, Group, List, Modal, Stack, TextInput } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import type { Contact, Erasure } from '../../api/records.ts'
import { useChange, useTeam } from '../../api/team.ts'
import { ErrorNote } from '../../ui/error-note.tsx'

interface EraseDialogProps {
  contact: Contact
  isOpen: boolean
  onClose(): void
}

/** Forgets a person: whoever does it types the address, so that it is the one they mean. */
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
  const isMeant = typed.trim().toLowerCase() === contact.email.toLowerCase()
  const change = useChange<Erasure>({
    touches: ['/lists', '/segments', '/suppressions'],
    onDone: ({ id }) => void navigate({ to: `/${team.id}/erasures/${id}` }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isMeant) return
    change.mutate({
      path: `/contacts/${contact.id}/erase`,
      method: 'POST',
      body: { keep_suppressed: keepsSuppressed },
    })
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Alert color="red" icon={<IconAlertTriangle size={18} />} title="There is no way back">
          <List size="sm" spacing={4}>
            <List.Item>The contact goes, with values and lists.</List.Item>
            <List.Item>
              Every email to the address loses what it said; emails that wait for it are canceled.
            </List.Item>
            <List.Item>
              Numbers stay: that there was an email is still counted, to whom is not known.
            </List.Item>
          </List>
        </Alert>
        <Checkbox
          label="Send nothing to this address any more"
          description="Otherwise it stays suppressed if it is now."
          checked={keepsSuppressed}
          onChange={(event) => setKeepsSuppressed(event.currentTarget.checked)}
        />
        <TextInput
          label={
            <>
              To go on, type <span className="code foreign">{contact.email}</span>
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
          <Button type="submit" color="red" disabled={!isMeant} loading={change.isPending}>
            Erase the person
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
