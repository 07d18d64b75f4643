import { Modal, Select, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { FormEvent } from 'react'
import type { Property } from '../../api/records.ts'
import { useChange } from '../../api/team.ts'
import { showFieldErrors } from '../../ui/forms/form-errors.ts'
import { FormFooter } from '../../ui/forms/form-footer.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
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
  const form = useForm({ initialValues: { key: keyFor(column), type: guessType(values) as string } })
  const change = useChange<Property>({ onError: (error) => showFieldErrors(form, error), onDone })
  const submit = (event: FormEvent<HTMLFormElement>) =>
    form.onSubmit((body) => change.mutate({ path: '/properties', method: 'POST', body }))(event)
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
          description="It cannot be changed later."
          data={TYPES}
          allowDeselect={false}
          {...form.getInputProps('type')}
        />
        <ErrorNote error={change.error} shownFields={['key', 'type']} />
        <FormFooter onCancel={onClose} isPending={change.isPending}>
          Create property
        </FormFooter>
      </Stack>
    </form>
  )
}
