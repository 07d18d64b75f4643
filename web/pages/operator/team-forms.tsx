import { Select, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { OperatorTeam, Plan } from '../../api/records.ts'
import { type ListOf, useChange, useGet } from '../../api/team.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { showFieldErrors } from '../../ui/form-errors.ts'
import { FormFooter } from '../../ui/form-footer.tsx'
import { tellDone } from '../../ui/notices.tsx'

/** A new team, or another name or plan. */
export function TeamForm({ team, onClose }: { team: OperatorTeam | null; onClose: () => void }) {
  const plans = useGet<ListOf<Plan>>('/operator/plans', { isTeamless: true })
  const form = useForm({ initialValues: { name: team?.name ?? '', plan: team?.plan ?? 'unlimited' } })
  const change = useChange({
    isTeamless: true,
    touches: ['/session'],
    onRefused: (error) => showFieldErrors(form, error),
    onDone: () => {
      tellDone(team === null ? 'The team is created. Invite its owner next.' : 'The team is changed.')
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
          {team === null ? 'Create the team' : 'Save'}
        </FormFooter>
      </Stack>
    </form>
  )
}

function describePlan({ name, month_recipients: month }: Plan): string {
  return month === null ? `${name} · no quota` : `${name} · ${month.toLocaleString()} a month`
}

/** Why a team may not send: its people see it. */
export function PauseTeamForm({ team, onClose }: { team: OperatorTeam; onClose: () => void }) {
  const form = useForm({ initialValues: { reason: '' } })
  const change = useChange({
    isTeamless: true,
    onRefused: (error) => showFieldErrors(form, error),
    onDone: () => {
      tellDone(`${team.name} is paused.`)
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
          New emails of {team.name} are refused. What was accepted before is still delivered.
        </Text>
        <TextInput
          label="Reason"
          description="In words for its people."
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
