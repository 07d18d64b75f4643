import { Alert, Button, Skeleton, Stack, Switch, Text } from '@mantine/core'
import { IconCircleCheck, IconForbid2 } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Contact, Suppression } from '../../api/records.ts'
import { type ListOf, useChange, useGet, useMay, useTeam } from '../../api/team.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Moment } from '../../ui/moment.tsx'
import { tellDone, tellError } from '../../ui/notices.tsx'
import { Section } from '../../ui/section.tsx'

const WHY = {
  manual: 'by hand',
  bounce: 'because an email bounced',
  complaint: 'because of a complaint',
} as const

/** Whether emails get to this person, and which. */
export function Reachability({ contact }: { contact: Contact }) {
  const { data, error } = useGet<ListOf<Suppression>>('/suppressions', {
    query: { email: contact.email, limit: 1 },
  })
  const entry = data?.data[0] ?? null
  return (
    <Section title="Reachability">
      <Stack gap="md">
        <Subscription contact={contact} />
        <ErrorNote error={error} />
        {data === undefined && error === null && <Skeleton height={60} aria-busy />}
        {data !== undefined &&
          (entry === null ? <Unsuppressed email={contact.email} /> : <Suppressed entry={entry} />)}
      </Stack>
    </Section>
  )
}

function Subscription({ contact }: { contact: Contact }) {
  const mayChange = useMay().change('Contacts')
  const change = useChange({ touches: ['/segments'] })
  const isSubscribed = !contact.unsubscribed
  if (!mayChange)
    return (
      <Text size="sm">
        {isSubscribed ? 'Subscribed to' : 'Unsubscribed from'} campaigns and automations. Transactional email
        goes out either way.
      </Text>
    )
  return (
    <Switch
      label="Subscribed"
      description="Campaigns and automations leave out who is not. Transactional email goes out either way."
      checked={isSubscribed}
      disabled={change.isPending}
      onChange={() =>
        change.mutate(
          { path: `/contacts/${contact.id}`, method: 'PATCH', body: { unsubscribed: isSubscribed } },
          { onError: tellError },
        )
      }
    />
  )
}

function Unsuppressed({ email }: { email: string }) {
  const mayChange = useMay().change('Suppressions')
  const change = useChange({ onDone: () => tellDone(`${email} gets no more email.`) })
  return (
    <Stack gap="xs" align="flex-start">
      <Text size="sm">
        <IconCircleCheck size={16} style={{ verticalAlign: '-3px' }} aria-hidden /> The address is not
        suppressed.
      </Text>
      {mayChange && (
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconForbid2 size={15} />}
          loading={change.isPending}
          onClick={() =>
            change.mutate({ path: '/suppressions', method: 'POST', body: { email } }, { onError: tellError })
          }
        >
          Suppress the address
        </Button>
      )}
    </Stack>
  )
}

function Suppressed({ entry: { email, reason, source_email_id, created_at } }: { entry: Suppression }) {
  const team = useTeam()
  const mayChange = useMay().change('Suppressions')
  const change = useChange({ onDone: () => tellDone(`${email} gets email again.`) })
  const path = `/suppressions/${encodeURIComponent(email)}`
  return (
    <Alert color="grape" icon={<IconForbid2 size={18} />} title="The address is suppressed">
      It gets no email at all{reason === null ? '' : `, ${WHY[reason]}`}, since <Moment at={created_at} />.
      <Stack gap={6} align="flex-start" mt="xs">
        {source_email_id !== null && (
          <Button
            component={Link}
            to={`/${team.id}/emails/${source_email_id}`}
            variant="default"
            size="compact-sm"
          >
            See the email
          </Button>
        )}
        {mayChange && (
          <Button
            variant="default"
            size="compact-sm"
            loading={change.isPending}
            onClick={() => change.mutate({ path, method: 'DELETE' }, { onError: tellError })}
          >
            Let it get email again
          </Button>
        )}
      </Stack>
    </Alert>
  )
}
