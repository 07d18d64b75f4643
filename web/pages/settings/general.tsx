import { Alert, Badge, Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconPlayerPause } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Team } from '../../api/account-records.ts'
import { useChange, useGet, useMay } from '../../api/team.ts'
import { CopyValue } from '../../ui/copy.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { showFieldErrors } from '../../ui/form-errors.ts'
import { Moment } from '../../ui/moment.tsx'
import { tellDone } from '../../ui/notices.tsx'
import { Section } from '../../ui/section.tsx'
import { showWord } from '../../ui/status-badge.tsx'

/** What the team is called, and whether it sends. */
export function General() {
  const team = useGet<Team>('/team')
  return (
    <Section title="Team">
      <ErrorNote error={team.error} onRetry={() => void team.refetch()} />
      {team.data === undefined ? (
        team.error === null && <Skeleton height={110} />
      ) : (
        <Stack gap="md">
          {team.data.sending_paused_at !== null && <Paused team={team.data} />}
          <Name key={team.data.name} team={team.data} />
          <Facts team={team.data} />
        </Stack>
      )}
    </Section>
  )
}

function Paused({ team }: { team: Team }) {
  return (
    <Alert color="orange" icon={<IconPlayerPause size={18} />} title="Sending is paused">
      {team.sending_paused_by === 'operator'
        ? 'An operator of this server paused it'
        : 'The service paused it to protect the reputation of the sender'}
      {', '}
      <Moment at={team.sending_paused_at} isRelative />
      {'. '}
      <span className="foreign">{team.sending_paused_reason}</span> What is accepted meanwhile waits. An
      operator can resume it.
    </Alert>
  )
}

function Name({ team }: { team: Team }) {
  const mayChange = useMay().change('Team')
  const client = useQueryClient()
  const form = useForm({ initialValues: { name: team.name } })
  const rename = useChange<Team>({
    onDone() {
      void client.invalidateQueries({ queryKey: ['session'] })
      tellDone('The team has its new name.')
    },
    onRefused: (error) => showFieldErrors(form, error),
  })
  const submit = form.onSubmit((body) => rename.mutate({ path: '/team', method: 'PATCH', body }))
  return (
    <form onSubmit={submit} noValidate>
      <Group align="flex-end" gap="sm">
        <TextInput label="Name" readOnly={!mayChange} w="100%" maw={420} {...form.getInputProps('name')} />
        {mayChange && (
          <Button type="submit" variant="default" disabled={!form.isDirty()} loading={rename.isPending}>
            Save the name
          </Button>
        )}
      </Group>
      <ErrorNote error={rename.error} shownFields={['name']} />
    </form>
  )
}

function Facts({ team }: { team: Team }) {
  return (
    <Group gap="xl" align="flex-start">
      <Fact label="Plan">
        <Badge color="gray">{showWord(team.plan)}</Badge>
      </Fact>
      <Fact label="Sending">
        {team.sending_paused_at === null ? (
          <Badge color="green">On</Badge>
        ) : (
          <Badge color="orange">Paused</Badge>
        )}
      </Fact>
      <Fact label="Created">
        <Moment at={team.created_at} />
      </Fact>
      <Fact label="Id">
        <CopyValue text={team.id} label="Copy the id" />
      </Fact>
    </Group>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div style={{ minWidth: 0 }}>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text size="sm" component="div">
        {children}
      </Text>
    </div>
  )
}
