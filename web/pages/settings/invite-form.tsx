import { Modal, Radio, Stack, TextInput } from '@mantine/core'
import type { SentInvitation } from '../../api/account-records.ts'
import type { Role } from '../../api/session.ts'
import { useTeam } from '../../api/team.ts'
import { useWhileOpen } from '../../ui/forms/dialog.ts'
import { DialogForm, useDialogForm } from '../../ui/forms/dialog-form.tsx'
import { ROLE_TEXTS } from '../../ui/role-words.ts'
import { SentNote } from '../../ui/sent-invitation.tsx'
import { rolesFor } from './roles-for.ts'

/** Invites a person, then shows the link once. */
export function InviteForm({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const [invitation, setInvitation] = useWhileOpen<SentInvitation>(isOpen)
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={invitation === null ? 'Invite member' : 'The invitation is ready'}
    >
      {invitation === null ? (
        <Fields onClose={onClose} onSent={setInvitation} />
      ) : (
        <SentNote invitation={invitation} onClose={onClose} />
      )}
    </Modal>
  )
}

function Fields({ onClose, onSent }: { onClose(): void; onSent(sent: SentInvitation): void }) {
  const { role } = useTeam()
  const { form, frame } = useDialogForm({
    initialValues: { email: '', role: 'member' as Role },
    requestOf: (body) => ({ path: '/team/invitations', method: 'POST', body }),
    onDone: onSent,
    onClose,
  })
  return (
    <DialogForm {...frame} action="Invite">
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
    </DialogForm>
  )
}
