import { Badge, Button, Group, Skeleton, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import type { Team } from '../../api/account-records.ts'
import { sessionQuery } from '../../api/session.ts'
import { useChange, useGet, useMay } from '../../api/team.ts'
import { CopyValue } from '../../ui/copy.tsx'
import { Fact } from '../../ui/facts.tsx'
import { showFieldErrors } from '../../ui/forms/form-errors.ts'
import { Moment } from '../../ui/moment.tsx'
import { notifyDone } from '../../ui/notifications.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Section } from '../../ui/page/section.tsx'
import { State, showWord } from '../../ui/status-badge.tsx'

/** The team's name and sending status. */
export function General() {
  const team = useGet<Team>('/team')
  const mayChange = useMay().change('Team')
  return (
    <Section title="Team">
      <ErrorNote error={team.error} onRetry={() => void team.refetch()} />
      {team.data === undefined ? (
        team.error === null && <Skeleton height={110} />
      ) : (
        <Stack gap="md">
          {mayChange && <Name key={team.data.name} team={team.data} />}
          <Facts team={team.data} hasName={!mayChange} />
        </Stack>
      )}
    </Section>
  )
}

function Name({ team }: { team: Team }) {
  const client = useQueryClient()
  const form = useForm({ initialValues: { name: team.name } })
  const rename = useChange<Team>({
    onDone() {
      void client.invalidateQueries({ queryKey: sessionQuery.queryKey })
      notifyDone('Team renamed.')
    },
    onError: (error) => showFieldErrors(form, error),
  })
  const submit = form.onSubmit((body) => rename.mutate({ path: '/team', method: 'PATCH', body }))
  return (
    <form onSubmit={submit} noValidate>
      <Group align="flex-end" gap="sm">
        <TextInput label="Name" w="100%" maw={420} {...form.getInputProps('name')} />
        <Button type="submit" variant="default" disabled={!form.isDirty()} loading={rename.isPending}>
          Save name
        </Button>
      </Group>
      <ErrorNote error={rename.error} shownFields={['name']} />
    </form>
  )
}

/** `hasName`: the user cannot change the name, so it is shown as text. */
function Facts({ team, hasName }: { team: Team; hasName: boolean }) {
  return (
    <Group gap="xl" align="flex-start" component="dl" m={0}>
      {hasName && (
        <Fact label="Name">
          <span className="foreign">{team.name}</span>
        </Fact>
      )}
      <Fact label="Plan">
        <Badge>{showWord(team.plan)}</Badge>
      </Fact>
      <Fact label="Sending">
        {team.sending_paused_at === null ? (
          <State tone="green">On</State>
        ) : (
          <State tone="amber">Paused</State>
        )}
      </Fact>
      <Fact label="Created">
        <Moment at={team.created_at} />
      </Fact>
      <Fact label="ID">
        <CopyValue text={team.id} label="Copy ID" />
      </Fact>
    </Group>
  )
}
