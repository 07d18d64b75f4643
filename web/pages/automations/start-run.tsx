import { Modal, Stack } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { AutomationRun } from '../../api/records.ts'
import { useChange } from '../../api/team.ts'
import { ContactSelect } from '../../ui/forms/contact-select.tsx'
import type { Dialog } from '../../ui/forms/dialog.ts'
import { FormFooter } from '../../ui/forms/form-footer.tsx'
import { notifyDone } from '../../ui/notifications.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { parseObject } from './graph/json-text.ts'
import { PayloadField } from './payload-field.tsx'

interface StartRunProps {
  automationId: string
  dialog: Dialog
}

/** Begins a run for a contact (`?start=true`), for automations that the API begins. */
export function StartRun({ automationId, dialog: { isOpen, close } }: StartRunProps) {
  return (
    <Modal opened={isOpen} onClose={close} title="Start run">
      <Fields automationId={automationId} onClose={close} />
    </Modal>
  )
}

function Fields({ automationId, onClose }: { automationId: string; onClose(): void }) {
  const [contactId, setContactId] = useState('')
  const [text, setText] = useState('')
  const payload = parseObject(text)
  const { mutate, error, isPending } = useChange<AutomationRun>({
    onDone() {
      notifyDone('Run started.')
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutate({
      path: `/automations/${automationId}/runs`,
      method: 'POST',
      body: { contact_id: contactId, payload },
    })
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <ContactSelect
          label="Contact"
          placeholder="Address or name"
          value={contactId === '' ? undefined : contactId}
          onChange={setContactId}
        />
        <PayloadField value={text} onChange={setText} />
        <ErrorNote error={error} />
        <FormFooter
          onCancel={onClose}
          isPending={isPending}
          isDisabled={contactId === '' || payload === null}
        >
          Start run
        </FormFooter>
      </Stack>
    </form>
  )
}
