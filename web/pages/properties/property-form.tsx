import { Modal, Select, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Property } from '../../api/records.ts'
import { useChange } from '../../api/team.ts'
import { showFieldErrors } from '../../ui/forms/form-errors.ts'
import { FormFooter } from '../../ui/forms/form-footer.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { notifyDone } from '../../ui/page/notifications.tsx'
import { texts } from './texts.ts'

interface PropertyFormProps {
  isOpen: boolean
  onClose(): void
  /** Null for a new property. */
  property: Property | null
}

const TYPES = [
  { value: 'string', label: texts.form.stringAnyText },
  { value: 'number', label: texts.form.number },
  { value: 'date', label: texts.form.date },
]

export function PropertyForm({ isOpen, onClose, property }: PropertyFormProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={property === null ? texts.form.addAProperty : texts.form.changeTheProperty}
    >
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
      notifyDone(property === null ? texts.form.propertyAdded : texts.form.propertyChanged)
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
          label={texts.form.key}
          description={texts.form.letterThenLettersDigits}
          required
          data-autofocus
          {...form.getInputProps('key')}
        />
        <Select
          label={texts.form.type}
          description={property === null ? texts.form.cannotChangedLater : texts.form.itCannotBeChanged}
          data={TYPES}
          disabled={property !== null}
          allowDeselect={false}
          {...form.getInputProps('type')}
        />
        <TextInput
          label={texts.form.fallback}
          description={texts.form.usedContactsWithoutValue}
          {...form.getInputProps('fallback_value')}
        />
        <ErrorNote error={change.error} shownFields={['key', 'type', 'fallback_value']} />
        <FormFooter onCancel={onClose} isPending={change.isPending}>
          {property === null ? texts.form.addTheProperty : texts.form.save}
        </FormFooter>
      </Stack>
    </form>
  )
}
