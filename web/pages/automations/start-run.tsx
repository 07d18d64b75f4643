import { Modal } from '@mantine/core'
import { ContactSelect } from '../../ui/forms/contact-select.tsx'
import type { Dialog } from '../../ui/forms/dialog.ts'
import { DialogForm, useDialogForm } from '../../ui/forms/dialog-form.tsx'
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
  const { form, frame } = useDialogForm({
    initialValues: { contact_id: '', text: '' },
    requestOf: ({ contact_id, text }) => ({
      path: `/automations/${automationId}/runs`,
      method: 'POST',
      body: { contact_id, payload: parseObject(text) },
    }),
    onDone: 'Run started.',
    onClose,
  })
  const { contact_id: contactId, text } = form.values
  const isDisabled = contactId === '' || parseObject(text) === null
  return (
    <DialogForm {...frame} shownFields={[]} action="Start run" isDisabled={isDisabled}>
      <ContactSelect
        label="Contact"
        placeholder="Address or name"
        value={contactId === '' ? undefined : contactId}
        onChange={(id) => form.setFieldValue('contact_id', id)}
      />
      <PayloadField value={text} onChange={(value) => form.setFieldValue('text', value)} />
    </DialogForm>
  )
}
