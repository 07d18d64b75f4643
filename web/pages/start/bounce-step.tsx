import { Anchor, Button, Group, Text } from '@mantine/core'
import { IconMailX } from '@tabler/icons-react'
import type { Domain, EmailWhole } from '../../api/records.ts'
import { useChange, useGet, useMay, useTeam } from '../../api/team.ts'
import { DeliveryState } from '../../ui/email-status.tsx'
import { Link } from '../../ui/link.tsx'
import { Waiting } from '../../ui/page/checklist.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'

const POLL_MS = 1_000
const OPEN = new Set(['queued', 'scheduled', 'delivery_delayed', 'sent'])

interface BounceStepProps {
  domain: Domain | null
  sentId: string | null
  onSent(id: string): void
}

/** An email to the simulator that bounces, so that the first bounce is no surprise. */
export function BounceStep({ domain, sentId, onSent }: BounceStepProps) {
  const mayChange = useMay().change('Emails')
  const send = useChange<{ id: string }>({ onDone: ({ id }) => onSent(id), touches: ['/usage'] })
  const submit = () =>
    send.mutate({
      path: '/emails',
      method: 'POST',
      body: {
        from: `hello@${domain?.name}`,
        to: 'bounced@simulator.test',
        subject: 'A test of a bounce',
        text: 'Nobody reads this.',
      },
    })
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm">
        bounced@simulator.test answers like a mailbox that does not exist. Simulated mail uses no quota and
        never leaves the server.
      </Text>
      {mayChange ? (
        <Button
          variant="default"
          leftSection={<IconMailX />}
          disabled={domain === null}
          loading={send.isPending}
          onClick={submit}
        >
          {sentId === null ? 'Send to bounced@simulator.test' : 'Send another'}
        </Button>
      ) : (
        <Text size="sm">Members of the team can send.</Text>
      )}
      {domain === null && (
        <Text size="sm" c="dimmed" mt="xs">
          Add a domain first.
        </Text>
      )}
      <ErrorNote error={send.error} />
      {sentId !== null && <Bounce id={sentId} />}
    </>
  )
}

function Bounce({ id }: { id: string }) {
  const team = useTeam()
  const { data } = useGet<EmailWhole>(`/emails/${id}`, {
    refetchIntervalMs: POLL_MS,
    refetchWhile: ({ status }) => OPEN.has(status),
  })
  const recipient = data?.recipients[0]
  if (data === undefined || recipient === undefined || OPEN.has(data.status))
    return (
      <Text size="sm" mt="sm">
        <Waiting>Waiting for the bounce…</Waiting>
      </Text>
    )
  return (
    <div role="status">
      <Group gap="sm" mt="sm">
        <DeliveryState status={recipient.status} host={recipient.mx_host} />
        <Anchor component={Link} to={`/${team.id}/emails/${id}`} size="sm" underline="always">
          View the bounce
        </Anchor>
      </Group>
      <Text size="sm" c="dimmed" className="foreign" mt="xs">
        {recipient.advice ?? 'In production, Sendwright would suppress the address and tell your webhooks.'}
      </Text>
    </div>
  )
}
