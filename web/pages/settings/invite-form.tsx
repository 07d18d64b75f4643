import { Modal, Radio, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import type { SentInvitation } from '../../api/account-records.ts'
import type { Role } from '../../api/session.ts'
import { useChange, useTeam } from '../../api/team.ts'
import { showFieldErrors } from '../../ui/forms/form-errors.ts'
import { FormFooter } from '../../ui/forms/form-footer.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { ROLE_TEXTS } from '../../ui/role-words.ts'
import { SentNote } from '../../ui/sent-invitation.tsx'
import { rolesFor } from './roles-for.ts'

const FIELDS = ['email', 'role']

/** Invites a person, then shows the link once. */
export function InviteForm({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const [sent, setSent] = useState<SentInvitation | null>(null)
  const close = () => {
    onClose()
    setSent(null)
  }
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={sent === null ? 'Invite member' : 'The invitation is ready'}
    >
      {sent === null ? <Fields onClose={close} onSent={setSent} /> : <SentNote sent={sent} onClose={close} />}
    </Modal>
  )
}

function Fields({ onClose, onSent }: { onClose(): void; onSent(sent: SentInvitation): void }) {
  const { role } = useTeam()
  const form = useForm<{ email: string; role: Role }>({ initialValues: { email: '', role: 'member' } })
  const invite = useChange<SentInvitation>({
    onDone: onSent,
    onError: (error) => showFieldErrors(form, error),
  })
  const submit = form.onSubmit((body) => invite.mutate({ path: '/team/invitations', method: 'POST', body }))
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TextInput
          label="Email"
          type="email"
          autoComplete="off"
          data-autofocus
          required
          withAsterisk={false}
          {...form.getInputProps('email')}
        />
        <Radio.Group label="Role" {...form.getInputProps('role')}>
          <Stack gap="xs" mt="xs">
            {rolesFor(role).map((each) => (
              <Radio
                key={each}
                value={each}
                label={ROLE_TEXTS[each].label}
                description={ROLE_TEXTS[each].summary}
              />
            ))}
          </Stack>
        </Radio.Group>
        <ErrorNote error={invite.error} shownFields={FIELDS} />
        <FormFooter onCancel={onClose} isPending={invite.isPending}>
          Invite
        </FormFooter>
      </Stack>
    </form>
  )
}
