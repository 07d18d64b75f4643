import { Select, Text, TextInput } from '@mantine/core'
import type { OperatorTeam, Plan } from '../../api/records.ts'
import { type ListOf, useGet } from '../../api/team.ts'
import { DialogForm, useDialogForm } from '../../ui/forms/dialog-form.tsx'
import { saveRequest } from '../../ui/forms/save-request.ts'

/** Creates a team, or changes its name or plan. */
export function TeamForm({ team, onClose }: { team: OperatorTeam | null; onClose: () => void }) {
  const plans = useGet<ListOf<Plan>>('/operator/plans', { isTeamless: true })
  const { form, frame } = useDialogForm({
    initialValues: { name: team?.name ?? '', plan: team?.plan ?? 'unlimited' },
    requestOf: (body, before) => saveRequest({ path: '/operator/teams', id: team?.id ?? null }, body, before),
    isTeamless: true,
    touches: ['/session'],
    onDone: team === null ? 'Team created. Invite its owner next.' : 'Team changed.',
    onClose,
  })
  const options = plans.data?.data.map((plan) => ({ value: plan.id, label: describePlan(plan) })) ?? [
    { value: form.values.plan, label: form.values.plan },
  ]
  return (
    <DialogForm {...frame} action={team === null ? 'Create team' : 'Save'}>
      <TextInput label="Name" required data-autofocus {...form.getInputProps('name')} />
      <Select label="Plan" data={options} allowDeselect={false} {...form.getInputProps('plan')} />
    </DialogForm>
  )
}

function describePlan({ name, month_recipients: month }: Plan): string {
  return month === null ? `${name} · no quota` : `${name} · ${month.toLocaleString()} a month`
}

/** Pauses a team's sending. Its members see the reason. */
export function PauseTeamForm({ team, onClose }: { team: OperatorTeam; onClose: () => void }) {
  const { form, frame } = useDialogForm({
    initialValues: { reason: '' },
    requestOf: (body) => ({ path: `/operator/teams/${team.id}/pause`, method: 'POST', body }),
    isTeamless: true,
    onDone: `Sending of ${team.name} paused.`,
    onClose,
  })
  return (
    <DialogForm {...frame} action="Pause sending" isDangerous>
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
    </DialogForm>
  )
}
