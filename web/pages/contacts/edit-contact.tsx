import { Box, Drawer, Skeleton, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useProperties } from '../../api/properties.ts'
import type { Contact, Property } from '../../api/records.ts'
import { useChange } from '../../api/team.ts'
import { showFieldErrors } from '../../ui/forms/form-errors.ts'
import { FormFooter } from '../../ui/forms/form-footer.tsx'
import { notifyDone } from '../../ui/notifications.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { type ContactDraft, ContactFields, shownFieldsOf } from './contact-fields.tsx'
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
  const form = useForm<ContactDraft>({
    initialValues: {
      email,
      first_name,
      last_name,
      user_id,
      time_zone,
      list_ids: [],
      properties: values,
    },
  })
  const change = useChange<Contact>({
    touches: ['/lists', '/segments'],
    onError: (error) => showFieldErrors(form, error),
    onDone: () => {
      notifyDone('Contact changed.')
      onClose()
    },
  })
  const submit = form.onSubmit(({ list_ids: _listIds, properties: draft, ...fields }) =>
    change.mutate({
      path: `/contacts/${contact.id}`,
      method: 'PATCH',
      body: { ...fields, properties: changesOf(properties, draft, contact.properties) },
    }),
  )
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <ContactFields form={form} properties={properties} />
        <ErrorNote error={change.error} shownFields={shownFieldsOf(properties)} />
        <Box mt="xs">
          <FormFooter onCancel={onClose} isPending={change.isPending}>
            Save
          </FormFooter>
        </Box>
      </Stack>
    </form>
  )
}
