import { Select, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import type { SentInvitation } from '../../api/account-records.ts'
import type { OperatorTeam } from '../../api/records.ts'
import { useChange } from '../../api/team.ts'
import { showFieldErrors } from '../../ui/forms/form-errors.ts'
import { FormFooter } from '../../ui/forms/form-footer.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { ROLE_TEXTS, ROLES } from '../../ui/role-words.ts'
import { SentNote } from '../../ui/sent-invitation.tsx'

const CHOICES = ROLES.map((role) => ({ value: role, label: ROLE_TEXTS[role].label }))

/** Invites a person to a team. A new team gets its owner this way. */
export function InviteForm({ team, onClose }: { team: OperatorTeam; onClose: () => void }) {
  const [sent, setSent] = useState<SentInvitation | null>(null)
  const form = useForm({ initialValues: { email: '', role: 'owner' } })
  const change = useChange<SentInvitation>({
    isTeamless: true,
    onError: (error) => showFieldErrors(form, error),
    onDone: setSent,
  })
  if (sent !== null) return <SentNote sent={sent} onClose={onClose} />
  const submit = form.onSubmit((body) =>
    change.mutate({ path: `/operator/teams/${team.id}/invitations`, method: 'POST', body }),
  )
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
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
        <ErrorNote error={change.error} shownFields={['email', 'role']} />
        <FormFooter onCancel={onClose} isPending={change.isPending}>
          Invite
        </FormFooter>
      </Stack>
    </form>
  )
}
