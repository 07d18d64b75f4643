import { Select, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { OperatorTeam, Plan } from '../../api/records.ts'
import { type ListOf, useChange, useGet } from '../../api/team.ts'
import { showFieldErrors } from '../../ui/forms/form-errors.ts'
import { FormFooter } from '../../ui/forms/form-footer.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { notifyDone } from '../../ui/page/notifications.tsx'
import { texts } from './texts.ts'

/** Creates a team, or changes its name or plan. */
export function TeamForm({ team, onClose }: { team: OperatorTeam | null; onClose: () => void }) {
  const plans = useGet<ListOf<Plan>>('/operator/plans', { isTeamless: true })
  const form = useForm({ initialValues: { name: team?.name ?? '', plan: team?.plan ?? 'unlimited' } })
  const change = useChange({
    isTeamless: true,
    touches: ['/session'],
    onError: (error) => showFieldErrors(form, error),
    onDone: () => {
      notifyDone(team === null ? texts.teamForms.teamCreatedInviteOwner : texts.teamForms.teamChanged)
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
        <TextInput label={texts.teamForms.name} required data-autofocus {...form.getInputProps('name')} />
        <Select
          label={texts.teamForms.plan}
          data={known}
          allowDeselect={false}
          {...form.getInputProps('plan')}
        />
        <ErrorNote error={change.error} shownFields={['name', 'plan']} />
        <FormFooter onCancel={onClose} isPending={change.isPending}>
          {team === null ? texts.teamForms.createTheTeam : texts.teamForms.save}
        </FormFooter>
      </Stack>
    </form>
  )
}

function describePlan({ name, month_recipients: month }: Plan): string {
  return month === null ? texts.teamForms.noQuota(name) : `${name} · ${month.toLocaleString()} a month`
}

/** Pauses a team's sending. Its members see the reason. */
export function PauseTeamForm({ team, onClose }: { team: OperatorTeam; onClose: () => void }) {
  const form = useForm({ initialValues: { reason: '' } })
  const change = useChange({
    isTeamless: true,
    onError: (error) => showFieldErrors(form, error),
    onDone: () => {
      notifyDone(texts.teamForms.sendingOfPaused(team.name))
      onClose()
    },
  })
  const submit = form.onSubmit((body) =>
    change.mutate({ path: `/operator/teams/${team.id}/pause`, method: 'POST', body }),
  )
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Text size="sm">{texts.teamForms.newEmailsRejectedEmails(team.name)}</Text>
        <TextInput
          label={texts.teamForms.reason}
          description={texts.teamForms.shownMembersTeam}
          required
          data-autofocus
          {...form.getInputProps('reason')}
        />
        <ErrorNote error={change.error} shownFields={['reason']} />
        <FormFooter onCancel={onClose} isPending={change.isPending} isDangerous>
          {texts.teamForms.pauseSending}
        </FormFooter>
      </Stack>
    </form>
  )
}
