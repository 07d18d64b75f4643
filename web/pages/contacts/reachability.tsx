import { Alert, Button, Skeleton, Stack, Switch, Text } from '@mantine/core'
import { IconCircleCheck, IconForbid2 } from '@tabler/icons-react'
import type { Contact, Suppression } from '../../api/records.ts'
import { type ListOf, useChange, useGet, useMay, useTeam } from '../../api/team.ts'
import { Link } from '../../ui/link.tsx'
import { Moment } from '../../ui/moment.tsx'
import { notifyDone, notifyError } from '../../ui/notifications.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Section } from '../../ui/page/section.tsx'

const WHY = {
  manual: 'manually',
  bounce: 'because an email bounced',
  complaint: 'because of a complaint',
}

/** Which emails this contact can receive. */
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
  const change = useChange({ touches: ['/segments'], onError: notifyError })
  const isSubscribed = !contact.unsubscribed
  const body = { unsubscribed: isSubscribed }
  if (!mayChange)
    return (
      <Text size="sm">
        {isSubscribed ? 'Subscribed to' : 'Unsubscribed from'} campaigns and automations. Transactional email
        is not affected.
      </Text>
    )
  return (
    <Switch
      label="Subscribed"
      description="Campaigns and automations skip unsubscribed contacts. Transactional email is not affected."
      checked={isSubscribed}
      disabled={change.isPending}
      onChange={() => change.mutate({ path: `/contacts/${contact.id}`, method: 'PATCH', body })}
    />
  )
}

function Unsuppressed({ email }: { email: string }) {
  const mayChange = useMay().change('Suppressions')
  const change = useChange({ onDone: () => notifyDone(`${email} suppressed.`), onError: notifyError })
  return (
    <Stack gap="xs" align="flex-start">
      <Text size="sm">
        <IconCircleCheck style={{ verticalAlign: '-3px' }} aria-hidden /> The address is not suppressed.
      </Text>
      {mayChange && (
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconForbid2 />}
          loading={change.isPending}
          onClick={() => change.mutate({ path: '/suppressions', method: 'POST', body: { email } })}
        >
          Suppress address
        </Button>
      )}
    </Stack>
  )
}

function Suppressed({ entry: { email, reason, source_email_id, created_at } }: { entry: Suppression }) {
  const team = useTeam()
  const mayChange = useMay().change('Suppressions')
  const onDone = () => notifyDone(`Suppression of ${email} removed.`)
  const change = useChange({ onDone, onError: notifyError })
  const path = `/suppressions/${encodeURIComponent(email)}`
  return (
    <Alert color="grape" icon={<IconForbid2 />} title="The address is suppressed">
      Suppressed{reason === null ? '' : ` ${WHY[reason]}`}, since <Moment at={created_at} />.
      <Stack gap="xs" align="flex-start" mt="xs">
        {source_email_id !== null && (
          <Button
            component={Link}
            to={`/${team.id}/emails/${source_email_id}`}
            variant="default"
            size="compact-sm"
          >
            View email
          </Button>
        )}
        {mayChange && (
          <Button
            variant="default"
            size="compact-sm"
            loading={change.isPending}
            onClick={() => change.mutate({ path, method: 'DELETE' })}
          >
            Remove suppression
          </Button>
        )}
      </Stack>
    </Alert>
  )
}
