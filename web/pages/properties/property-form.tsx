import { Modal, Select, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Property } from '../../api/records.ts'
import { useChange } from '../../api/team.ts'
import { showFieldErrors } from '../../ui/forms/form-errors.ts'
import { FormFooter } from '../../ui/forms/form-footer.tsx'
import { notifyDone } from '../../ui/notifications.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'

interface PropertyFormProps {
  isOpen: boolean
  onClose(): void
  /** Null for a new property. */
  property: Property | null
}

const TYPES = [
  { value: 'string', label: 'String: any text' },
  { value: 'number', label: 'Number' },
  { value: 'date', label: 'Date' },
]

export function PropertyForm({ isOpen, onClose, property }: PropertyFormProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={property === null ? 'Add property' : 'Edit property'}>
      <Fields key={property?.id ?? 'new'} property={property} onClose={onClose} />
    </Modal>
  )
}

function Fields({ property, onClose }: Omit<PropertyFormProps, 'isOpen'>) {
  const form = useForm({
    initialValues: {
      key: property?.key ?? '',
      type: property?.type ?? 'string',
      fallback_value: property?.fallback_value ?? '',
    },
  })
  const change = useChange({
    onError: (error) => showFieldErrors(form, error),
    onDone: () => {
      notifyDone(property === null ? 'Property added.' : 'Property changed.')
      onClose()
    },
  })
  const submit = form.onSubmit(({ fallback_value: fallback, ...rest }) => {
    const body = { ...rest, fallback_value: fallback === '' ? null : fallback }
    change.mutate(
      property === null
        ? { path: '/properties', method: 'POST', body }
        : { path: `/properties/${property.id}`, method: 'PUT', body },
    )
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          label="Key"
          description="A letter, then letters, digits and _."
          required
          data-autofocus
          {...form.getInputProps('key')}
        />
        <Select
          label="Type"
          description={property === null ? 'It cannot be changed later.' : 'It cannot be changed.'}
          data={TYPES}
          disabled={property !== null}
          allowDeselect={false}
          {...form.getInputProps('type')}
        />
        <TextInput
          label="Fallback"
          description="Used for contacts without a value."
          {...form.getInputProps('fallback_value')}
        />
        <ErrorNote error={change.error} shownFields={['key', 'type', 'fallback_value']} />
        <FormFooter onCancel={onClose} isPending={change.isPending}>
          {property === null ? 'Add property' : 'Save'}
        </FormFooter>
      </Stack>
    </form>
  )
}
