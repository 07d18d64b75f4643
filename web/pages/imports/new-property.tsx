import { Modal, Select, TextInput } from '@mantine/core'
import type { Property } from '../../api/records.ts'
import { DialogForm, useDialogForm } from '../../ui/forms/dialog-form.tsx'
import { guessType } from './guess-type.ts'
import { keyFor } from './mapping.ts'

interface NewPropertyProps {
  /** Null while the dialog is closed. */
  column: string | null
  /** The values of the column that were read, from which the type is guessed. */
  values: readonly string[]
  onDone(property: Property): void
  onClose(): void
}

const TYPES = [
  { value: 'string', label: 'String: any text' },
  { value: 'number', label: 'Number' },
  { value: 'date', label: 'Date' },
]

/** Creates a property for a column. */
export function NewProperty({ column, onClose, ...rest }: NewPropertyProps) {
  return (
    <Modal opened={column !== null} onClose={onClose} title="Create property">
      {column !== null && <Fields column={column} onClose={onClose} {...rest} />}
    </Modal>
  )
}

function Fields({ column, values, onDone, onClose }: NewPropertyProps & { column: string }) {
  const { form, frame } = useDialogForm({
    initialValues: { key: keyFor(column), type: guessType(values) as string },
    requestOf: (body) => ({ path: '/properties', method: 'POST', body }),
    onDone,
    onClose,
  })
  return (
    <DialogForm {...frame} action="Create property">
      <TextInput
        label="Key"
        description="A letter, then letters, digits and _."
        required
        data-autofocus
        {...form.getInputProps('key')}
      />
      <Select
        label="Type"
        description="It cannot be changed later."
        data={TYPES}
        allowDeselect={false}
        {...form.getInputProps('type')}
      />
    </DialogForm>
  )
}
