import { Stack } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import type { FormEvent, ReactNode } from 'react'
import { type Change, type ChangeOptions, useChange } from '../../api/team.ts'
import { notifyDone } from '../notifications.tsx'
import { ErrorNote } from '../page/error-note.tsx'
import { showFieldErrors, showUnreadable } from './form-errors.ts'
import { FormFooter } from './form-footer.tsx'

interface DialogFormOptions<V, T> extends Pick<ChangeOptions<T>, 'touches' | 'isTeamless'> {
  /** Named as in the API. */
  initialValues: V
  /** @param before the values when the form opened */
  requestOf(values: V, before: V): Change
  /** A text is shown as a notification, and the dialog closes. */
  onDone: string | ((answer: T) => void)
  onClose(): void
  /** Maps further fields of the API to the fields that show their errors. */
  names?: Readonly<Record<string, string>>
}

interface DialogFormFrame {
  onSubmit(event: FormEvent<HTMLFormElement>): void
  onClose(): void
  shownFields: readonly string[]
  error: Error | null
  isPending: boolean
}

/** The state of a dialog's form that sends one request: the form, and the properties of its DialogForm. */
export function useDialogForm<V extends Record<string, unknown>, T = unknown>({
  initialValues,
  requestOf,
  onDone,
  onClose,
  names = {},
  ...options
}: DialogFormOptions<V, T>): { form: UseFormReturnType<V>; frame: DialogFormFrame } {
  const form = useForm<V>({ initialValues })
  const { mutate, error, isPending } = useChange<T>({
    ...options,
    onError: (failure) => showFieldErrors(form, failure, names),
    onDone(answer) {
      if (typeof onDone !== 'string') return onDone(answer)
      notifyDone(onDone)
      onClose()
    },
  })
  const onSubmit = form.onSubmit((values) => mutate(requestOf(values, form.getInitialValues())))
  const shownFields = [...Object.keys(initialValues), ...Object.keys(names)]
  return { form, frame: { onSubmit, onClose, shownFields, error, isPending } }
}

interface DialogFormProps extends DialogFormFrame {
  /** The label of the submit button: a verb. */
  action: string
  isDisabled?: boolean
  isDangerous?: boolean
  children: ReactNode
}

export function DialogForm({
  onSubmit,
  onClose,
  shownFields,
  error,
  action,
  children,
  ...rest
}: DialogFormProps) {
  return (
    <form
      onSubmit={(event) => (showUnreadable(event.currentTarget) ? event.preventDefault() : onSubmit(event))}
      noValidate
    >
      <Stack>
        {children}
        <ErrorNote error={error} shownFields={shownFields} />
        <FormFooter onCancel={onClose} {...rest}>
          {action}
        </FormFooter>
      </Stack>
    </form>
  )
}
