import { Alert, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import type { OperatorTeam, SentInvitation } from '../../api/records.ts'
import { useChange } from '../../api/team.ts'
import { CodeBlock } from '../../ui/copy.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { showFieldErrors } from '../../ui/form-errors.ts'
import { FormFooter } from '../../ui/form-footer.tsx'

const ROLES = [
  { value: 'owner', label: 'Owner' },
  { value: 'admin', label: 'Admin' },
  { value: 'member', label: 'Member' },
  { value: 'viewer', label: 'Viewer' },
]

/** Lets somebody into a team: how one that was just made gets its owner. */
export function InviteForm({ team, onClose }: { team: OperatorTeam; onClose: () => void }) {
  const [sent, setSent] = useState<SentInvitation | null>(null)
  const form = useForm({ initialValues: { email: '', role: 'owner' } })
  const change = useChange<SentInvitation>({
    isTeamless: true,
    onRefused: (error) => showFieldErrors(form, error),
    onDone: setSent,
  })
  if (sent !== null)
    return (
      <Stack>
        <Alert color="green">
          {sent.emailed
            ? `The invitation is on its way to ${sent.email}.`
            : `Give this link to ${sent.email}: no verified domain could mail it.`}
        </Alert>
        <CodeBlock text={sent.link} label="Copy the link" />
        <Text size="sm" c="dimmed">
          It works once, for an hour, and is shown this once.
        </Text>
        <Group justify="flex-end">
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    )
  const submit = form.onSubmit((body) =>
    change.mutate({ path: `/operator/teams/${team.id}/invitations`, method: 'POST', body }),
  )
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Text size="sm" className="foreign">
          Into {team.name}
        </Text>
        <TextInput
          label="Email address"
          type="email"
          required
          data-autofocus
          {...form.getInputProps('email')}
        />
        <Select label="Role" data={ROLES} allowDeselect={false} {...form.getInputProps('role')} />
        <ErrorNote error={change.error} shownFields={['email', 'role']} />
        <FormFooter onCancel={onClose} isPending={change.isPending}>
          Invite
        </FormFooter>
      </Stack>
    </form>
  )
}
