import { Modal, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useChange } from '../../api/team.ts'
import { ErrorNote } from '../page/error-note.tsx'
import { showFieldErrors } from './form-errors.ts'
import { FormFooter } from './form-footer.tsx'

interface NameFormProps<T> {
  isOpen: boolean
  onClose(): void
  title: string
  description?: string
  /** Null to create something. */
  given: { id: string; name: string } | null
  /** API path of the collection, for example `/lists`. */
  path: string
  onDone(saved: T): void
}

/** A dialog that creates something with a name, or renames it. */
export function NameForm<T>({ isOpen, onClose, title, ...rest }: NameFormProps<T>) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={title}>
      <Fields key={rest.given?.id ?? 'new'} onClose={onClose} {...rest} />
    </Modal>
  )
}

function Fields<T>({
  given,
  path,
  description,
  onDone,
  onClose,
}: Omit<NameFormProps<T>, 'isOpen' | 'title'>) {
  const form = useForm({ initialValues: { name: given?.name ?? '' } })
  const change = useChange<T>({ onError: (error) => showFieldErrors(form, error), onDone })
  const submit = form.onSubmit((body) =>
    change.mutate(
      given === null ? { path, method: 'POST', body } : { path: `${path}/${given.id}`, method: 'PUT', body },
    ),
  )
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          label="Name"
          description={description}
          required
          data-autofocus
          {...form.getInputProps('name')}
        />
        <ErrorNote error={change.error} shownFields={['name']} />
        <FormFooter onCancel={onClose} isPending={change.isPending}>
          {given === null ? 'Create' : 'Save'}
        </FormFooter>
      </Stack>
    </form>
  )
}
