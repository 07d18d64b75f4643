import { Box, Drawer, Skeleton, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useNavigate } from '@tanstack/react-router'
import { useProperties } from '../../api/properties.ts'
import type { Contact, Property } from '../../api/records.ts'
import { useChange, useTeam } from '../../api/team.ts'
import { showFieldErrors } from '../../ui/forms/form-errors.ts'
import { FormFooter } from '../../ui/forms/form-footer.tsx'
import { ListChoice } from '../../ui/forms/list-choice.tsx'
import { notifyDone } from '../../ui/notifications.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { type ContactDraft, ContactFields, shownFieldsOf } from './contact-fields.tsx'
import { changesOf, draftOf } from './property-values.ts'

interface NewContactProps {
  isOpen: boolean
  onClose(): void
}

export function NewContact({ isOpen, onClose }: NewContactProps) {
  const properties = useProperties()
  return (
    <Drawer opened={isOpen} onClose={onClose} title="Add contact" position="right" size="md">
      {properties === undefined ? (
        <Skeleton height={320} aria-busy />
      ) : (
        <Fields properties={properties} onClose={onClose} />
      )}
    </Drawer>
  )
}

function Fields({ properties, onClose }: { properties: readonly Property[]; onClose: () => void }) {
  const team = useTeam()
  const navigate = useNavigate()
  const form = useForm<ContactDraft>({
    initialValues: {
      email: '',
      first_name: '',
      last_name: '',
      user_id: '',
      time_zone: '',
      list_ids: [],
      properties: draftOf(properties, {}),
    },
  })
  const finish = ({ id, email }: Contact) => {
    notifyDone(`${email} added.`)
    void navigate({ to: `/${team.id}/contacts/${id}` })
  }
  const change = useChange<Contact>({
    onError: (error) => showFieldErrors(form, error),
    onDone: (contact) => {
      // A separate request, so that an existing contact stays in its other lists.
      const { list_ids } = form.values
      if (list_ids.length === 0) finish(contact)
      else join.mutate({ path: `/contacts/${contact.id}/lists`, method: 'POST', body: { list_ids } })
    },
  })
  const join = useChange<Contact>({ touches: ['/lists', '/segments'], onDone: finish })
  const submit = form.onSubmit((draft) =>
    change.mutate({ path: '/contacts', method: 'POST', body: bodyOf(draft, properties) }),
  )
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <ContactFields form={form} properties={properties} />
        <ListChoice
          value={form.values.list_ids}
          onChange={(ids) => form.setFieldValue('list_ids', ids)}
          error={form.errors.list_ids}
        />
        <ErrorNote error={join.error} />
        <ErrorNote error={change.error} shownFields={shownFieldsOf(properties)} />
        <Box mt="xs">
          <FormFooter onCancel={onClose} isPending={change.isPending || join.isPending}>
            Add contact
          </FormFooter>
        </Box>
      </Stack>
    </form>
  )
}

/** An existing contact keeps the values that the form leaves empty. */
function bodyOf(
  { list_ids: _listIds, properties: values, ...fields }: ContactDraft,
  properties: readonly Property[],
) {
  const filled = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''))
  return {
    ...filled,
    email: fields.email,
    properties: changesOf(properties, values, {}),
  }
}
