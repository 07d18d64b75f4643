import { Modal, TextInput } from '@mantine/core'
import { DialogForm, useDialogForm } from './dialog-form.tsx'

interface NameFormProps<T> {
  isOpen: boolean
  onClose(): void
  title: string
  description?: string
  /** Null to create something. */
  record: { id: string; name: string } | null
  /** API path of the collection, for example `/lists`. */
  path: string
  onDone(saved: T): void
}

/** A dialog that creates something with a name, or renames it. */
export function NameForm<T>({ isOpen, onClose, title, ...rest }: NameFormProps<T>) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={title}>
      <Fields key={rest.record?.id ?? 'new'} onClose={onClose} {...rest} />
    </Modal>
  )
}

function Fields<T>({
  record,
  path,
  description,
  onDone,
  onClose,
}: Omit<NameFormProps<T>, 'isOpen' | 'title'>) {
  const { form, frame } = useDialogForm({
    initialValues: { name: record?.name ?? '' },
    requestOf: (body) =>
      record === null
        ? { path, method: 'POST', body }
        : { path: `${path}/${record.id}`, method: 'PUT', body },
    onDone,
    onClose,
  })
  return (
    <DialogForm {...frame} action={record === null ? 'Create' : 'Save'}>
      <TextInput
        label="Name"
        description={description}
        required
        data-autofocus
        {...form.getInputProps('name')}
      />
    </DialogForm>
  )
}
