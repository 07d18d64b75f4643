import { Drawer, Skeleton } from '@mantine/core'
import { useProperties } from '../../api/properties.ts'
import type { Contact, Property } from '../../api/records.ts'
import { DialogForm, useDialogForm } from '../../ui/forms/dialog-form.tsx'
import { ContactFields, shownFieldsOf } from './contact-fields.tsx'
import { changesOf, draftOf } from './property-values.ts'

interface EditContactProps {
  contact: Contact
  isOpen: boolean
  onClose(): void
}

export function EditContact({ contact, isOpen, onClose }: EditContactProps) {
  const properties = useProperties()
  return (
    <Drawer opened={isOpen} onClose={onClose} title="Edit contact" position="right" size="md">
      {properties === undefined ? (
        <Skeleton height={320} aria-busy />
      ) : (
        <Fields contact={contact} properties={properties} onClose={onClose} />
      )}
    </Drawer>
  )
}

function Fields({
  contact,
  properties,
  onClose,
}: Omit<EditContactProps, 'isOpen'> & { properties: readonly Property[] }) {
  const { email, first_name, last_name, user_id, time_zone } = contact
  const values = draftOf(properties, contact.properties)
  const list_ids: string[] = []
  const { form, frame } = useDialogForm({
    initialValues: { email, first_name, last_name, user_id, time_zone, list_ids, properties: values },
    requestOf: ({ list_ids: _listIds, properties: draft, ...fields }) => ({
      path: `/contacts/${contact.id}`,
      method: 'PATCH',
      body: { ...fields, properties: changesOf(properties, draft, contact.properties) },
    }),
    touches: ['/lists', '/segments'],
    onDone: 'Contact changed.',
    onClose,
  })
  return (
    <DialogForm {...frame} shownFields={shownFieldsOf(properties)} action="Save">
      <ContactFields form={form} properties={properties} />
    </DialogForm>
  )
}
