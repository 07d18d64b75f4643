import { Select, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { SentInvitation } from '../../api/account-records.ts'
import type { OperatorTeam } from '../../api/records.ts'
import { DialogForm, useDialogForm } from '../../ui/forms/dialog-form.tsx'
import { ROLE_TEXTS, ROLES } from '../../ui/role-words.ts'
import { SentNote } from '../../ui/sent-invitation.tsx'

const CHOICES = ROLES.map((role) => ({ value: role, label: ROLE_TEXTS[role].label }))

/** Invites a person to a team. A new team gets its owner this way. */
export function InviteForm({ team, onClose }: { team: OperatorTeam; onClose: () => void }) {
  const [invitation, setInvitation] = useState<SentInvitation | null>(null)
  const { form, frame } = useDialogForm({
    initialValues: { email: '', role: 'owner' },
    requestOf: (body) => ({ path: `/operator/teams/${team.id}/invitations`, method: 'POST', body }),
    isTeamless: true,
    onDone: (invitation: SentInvitation) => setInvitation(invitation),
    onClose,
  })
  if (invitation !== null) return <SentNote invitation={invitation} onClose={onClose} />
  return (
    <DialogForm {...frame} action="Invite">
      <Text size="sm" className="foreign">
        Team: {team.name}
      </Text>
      <TextInput
        label="Email address"
        type="email"
        required
        data-autofocus
        {...form.getInputProps('email')}
      />
      <Select label="Role" data={CHOICES} allowDeselect={false} {...form.getInputProps('role')} />
    </DialogForm>
  )
}
