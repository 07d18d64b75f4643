import { Alert, Button, Skeleton, Stack, Switch, Text } from '@mantine/core'
import { IconCircleCheck, IconForbid2 } from '@tabler/icons-react'
import type { Contact, Suppression } from '../../api/records.ts'
import { type ListOf, useChange, useGet, useMay, useTeam } from '../../api/team.ts'
import { Link } from '../../ui/link.tsx'
import { Moment } from '../../ui/moment.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { notifyDone, notifyError } from '../../ui/page/notifications.tsx'
import { Section } from '../../ui/page/section.tsx'
import { texts } from './texts.ts'

const WHY = texts.reachability.why

/** Which emails this contact can receive. */
export function Reachability({ contact }: { contact: Contact }) {
  const { data, error } = useGet<ListOf<Suppression>>('/suppressions', {
    query: { email: contact.email, limit: 1 },
  })
  const entry = data?.data[0] ?? null
  return (
    <Section title={texts.reachability.reachability}>
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
        {texts.reachability.campaignsAutomations(
          isSubscribed ? texts.reachability.subscribedTo : texts.reachability.unsubscribedFrom,
        )}
      </Text>
    )
  return (
    <Switch
      label={texts.reachability.subscribed}
      description={texts.reachability.campaignsAutomationsSkip}
      checked={isSubscribed}
      disabled={change.isPending}
      onChange={() =>
        change.mutate(
          { path: `/contacts/${contact.id}`, method: 'PATCH', body: { unsubscribed: isSubscribed } },
          { onError: notifyError },
        )
      }
    />
  )
}

function Unsuppressed({ email }: { email: string }) {
  const mayChange = useMay().change('Suppressions')
  const change = useChange({ onDone: () => notifyDone(texts.reachability.suppressed(email)) })
  return (
    <Stack gap="xs" align="flex-start">
      <Text size="sm">
        <IconCircleCheck style={{ verticalAlign: '-3px' }} aria-hidden />{' '}
        {texts.reachability.addressNotSuppressed}
      </Text>
      {mayChange && (
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconForbid2 />}
          loading={change.isPending}
          onClick={() =>
            change.mutate(
              { path: '/suppressions', method: 'POST', body: { email } },
              { onError: notifyError },
            )
          }
        >
          {texts.reachability.suppressTheAddress}
        </Button>
      )}
    </Stack>
  )
}

function Suppressed({ entry: { email, reason, source_email_id, created_at } }: { entry: Suppression }) {
  const team = useTeam()
  const mayChange = useMay().change('Suppressions')
  const change = useChange({ onDone: () => notifyDone(texts.reachability.suppressionOfRemoved(email)) })
  const path = `/suppressions/${encodeURIComponent(email)}`
  return (
    <Alert color="grape" icon={<IconForbid2 />} title={texts.reachability.theAddressIsSuppressed}>
      {texts.reachability.getsNoEmailSince(reason === null ? '' : ` ${WHY[reason]}`)}{' '}
      <Moment at={created_at} />.
      <Stack gap="xs" align="flex-start" mt="xs">
        {source_email_id !== null && (
          <Button
            component={Link}
            to={`/${team.id}/emails/${source_email_id}`}
            variant="default"
            size="compact-sm"
          >
            {texts.reachability.viewTheEmail}
          </Button>
        )}
        {mayChange && (
          <Button
            variant="default"
            size="compact-sm"
            loading={change.isPending}
            onClick={() => change.mutate({ path, method: 'DELETE' }, { onError: notifyError })}
          >
            {texts.reachability.removeSuppression}
          </Button>
        )}
      </Stack>
    </Alert>
  )
}
