import { Modal, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError } from '../../api/errors.ts'
import type { EmailWhole } from '../../api/records.ts'
import { useChange, useTeam } from '../../api/team.ts'
import { FormFooter } from '../../ui/forms/form-footer.tsx'
import { notifyDone } from '../../ui/notifications.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { forgetResendKey, type ResendKeys, resendChangeOf } from './resend-change.ts'

interface DialogProps {
  email: EmailWhole
  opened: boolean
  onClose(): void
}

const REACHED = new Set(['delivered', 'sent', 'queued', 'delivery_delayed', 'scheduled'])

/** Sends the same content again, as a new email. */
export function ResendDialog({ email, opened, onClose }: DialogProps) {
  // Not of the form, which is gone when the dialog is closed and opened again.
  const [keys] = useState((): ResendKeys => new Map())
  return (
    <Modal opened={opened} onClose={onClose} title="Send this email again">
      <ResendForm email={email} onClose={onClose} keys={keys} />
    </Modal>
  )
}

type Whom = 'all' | 'unreached' | 'other'

interface FormProps extends Omit<DialogProps, 'opened'> {
  keys: ResendKeys
}

function ResendForm({ email, onClose, keys }: FormProps) {
  const team = useTeam()
  const navigate = useNavigate()
  const unreached = email.recipients.filter(({ status }) => !REACHED.has(status)).map((each) => each.email)
  const [whom, setWhom] = useState<Whom>('all')
  const [other, setOther] = useState('')
  const send = useChange<{ id: string }>({
    onDone({ id }) {
      notifyDone('Sent as a new email.')
      void navigate({ to: `/${team.id}/emails/${id}` })
    },
  })
  const fieldError = send.error instanceof ApiError ? send.error.fields.to?.join(' ') : undefined
  const submit = () => {
    const body = whom === 'all' ? {} : { to: whom === 'other' ? other : unreached }
    // `mutate` would call nothing back once the form is gone.
    send.mutateAsync(resendChangeOf(email.id, body, keys)).then(
      () => forgetResendKey(email.id, body, keys),
      () => null,
    )
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Stack gap="sm">
        <Text size="sm">
          Sends the same content as a new email with a new ID. Suppressed addresses are skipped.
        </Text>
        <Radio.Group label="Recipients" value={whom} onChange={(value) => setWhom(value as Whom)}>
          <Stack gap="xs" mt="xs">
            <Radio value="all" data-autofocus label={`All recipients (${email.recipients.length})`} />
            {unreached.length > 0 && unreached.length < email.recipients.length && (
              <Radio value="unreached" label={`Only failed recipients (${unreached.length})`} />
            )}
            <Radio value="other" label="Someone else" />
          </Stack>
        </Radio.Group>
        {whom === 'other' && (
          <TextInput
            label="Address"
            type="email"
            required
            value={other}
            error={fieldError}
            onChange={(event) => setOther(event.currentTarget.value)}
          />
        )}
        <ErrorNote error={send.error} shownFields={whom === 'other' ? ['to'] : []} />
        <FormFooter onCancel={onClose} isPending={send.isPending}>
          Send again
        </FormFooter>
      </Stack>
    </form>
  )
}
