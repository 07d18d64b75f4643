import { Select, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { OperatorTeam, Plan } from '../../api/records.ts'
import { type ListOf, useChange, useGet } from '../../api/team.ts'
import { showFieldErrors } from '../../ui/forms/form-errors.ts'
import { FormFooter } from '../../ui/forms/form-footer.tsx'
import { notifyDone } from '../../ui/notifications.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'

/** Creates a team, or changes its name or plan. */
export function TeamForm({ team, onClose }: { team: OperatorTeam | null; onClose: () => void }) {
  const plans = useGet<ListOf<Plan>>('/operator/plans', { isTeamless: true })
  const form = useForm({ initialValues: { name: team?.name ?? '', plan: team?.plan ?? 'unlimited' } })
  const change = useChange({
    isTeamless: true,
    touches: ['/session'],
    onError: (error) => showFieldErrors(form, error),
    onDone: () => {
      notifyDone(team === null ? 'Team created. Invite its owner next.' : 'Team changed.')
      onClose()
    },
  })
  const submit = form.onSubmit((body) =>
    change.mutate(
      team === null
        ? { path: '/operator/teams', method: 'POST', body }
        : { path: `/operator/teams/${team.id}`, method: 'PATCH', body },
    ),
  )
  const known = plans.data?.data.map((plan) => ({ value: plan.id, label: describePlan(plan) })) ?? [
    { value: form.values.plan, label: form.values.plan },
  ]
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput label="Name" required data-autofocus {...form.getInputProps('name')} />
        <Select label="Plan" data={known} allowDeselect={false} {...form.getInputProps('plan')} />
        <ErrorNote error={change.error} shownFields={['name', 'plan']} />
        <FormFooter onCancel={onClose} isPending={change.isPending}>
          {team === null ? 'Create team' : 'Save'}
        </FormFooter>
      </Stack>
    </form>
  )
}

function describePlan({ name, month_recipients: month }: Plan): string {
  return month === null ? `${name} · no quota` : `${name} · ${month.toLocaleString()} a month`
}

/** Pauses a team's sending. Its members see the reason. */
export function PauseTeamForm({ team, onClose }: { team: OperatorTeam; onClose: () => void }) {
  const form = useForm({ initialValues: { reason: '' } })
  const change = useChange({
    isTeamless: true,
    onError: (error) => showFieldErrors(form, error),
    onDone: () => {
      notifyDone(`Sending of ${team.name} paused.`)
      onClose()
    },
  })
  const submit = form.onSubmit((body) =>
    change.mutate({ path: `/operator/teams/${team.id}/pause`, method: 'POST', body }),
  )
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Text size="sm">
          New emails of {team.name} are rejected. Emails accepted before the pause are still delivered.
        </Text>
        <TextInput
          label="Reason"
          description="Shown to the members of the team."
          required
          data-autofocus
          {...form.getInputProps('reason')}
        />
        <ErrorNote error={change.error} shownFields={['reason']} />
        <FormFooter onCancel={onClose} isPending={change.isPending} isDangerous>
          Pause sending
        </FormFooter>
      </Stack>
    </form>
  )
}
