import { Modal, Select, TextInput } from '@mantine/core'
import type { Property } from '../../api/records.ts'
import { DialogForm, useDialogForm } from '../../ui/forms/dialog-form.tsx'
import { saveRequest } from '../../ui/forms/save-request.ts'

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
  const { form, frame } = useDialogForm({
    initialValues: {
      key: property?.key ?? '',
      type: property?.type ?? 'string',
      fallback_value: property?.fallback_value ?? '',
    },
    requestOf(draft, before) {
      const bodyOf = ({ fallback_value, ...rest }: typeof draft) => ({
        ...rest,
        fallback_value: fallback_value === '' ? null : fallback_value,
      })
      const saved = { path: '/properties', id: property?.id ?? null, method: 'PUT' } as const
      return saveRequest(saved, bodyOf(draft), bodyOf(before))
    },
    onDone: property === null ? 'Property added.' : 'Property changed.',
    onClose,
  })
  return (
    <DialogForm {...frame} action={property === null ? 'Add property' : 'Save'}>
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
    </DialogForm>
  )
}
