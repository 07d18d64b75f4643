import { Drawer, Skeleton } from '@mantine/core'
import { useProperties } from '../../api/properties.ts'
import type { Contact, Property } from '../../api/records.ts'
import { DialogForm, useDialogForm } from '../../ui/forms/dialog-form.tsx'
import { saveRequest } from '../../ui/forms/save-request.ts'
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
    requestOf(draft, before) {
      const bodyOf = ({ list_ids: _listIds, properties: values, ...fields }: typeof draft) => ({
        ...fields,
        properties: changesOf(properties, values, before.properties),
      })
      return saveRequest({ path: '/contacts', id: contact.id }, bodyOf(draft), bodyOf(before))
    },
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
