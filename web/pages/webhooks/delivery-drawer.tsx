import { Button, Drawer, Group, Skeleton, Stack, Table, Text, Title } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import type { DeliveryWhole, WebhookDelivery } from '../../api/records.ts'
import { useChange, useGet, useMay } from '../../api/team.ts'
import { CodeBlock, CopyValue } from '../../ui/copy.tsx'
import { Moment } from '../../ui/moment.tsx'
import { notifyDone, notifyError } from '../../ui/notifications.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { showDuration } from '../../ui/times.ts'
import { DeliveryStatus } from './delivery-status.tsx'

interface DeliveryDrawerProps {
  webhookId: string
  /** Null while the drawer is closed. */
  deliveryId: string | null
  onClose(): void
  onOpen(id: string): void
}

const REFRESH_MS = 2_000

/** One delivery: the request, the response, and every attempt. */
export function DeliveryDrawer({ webhookId, deliveryId, onClose, onOpen }: DeliveryDrawerProps) {
  return (
    <Drawer opened={deliveryId !== null} onClose={onClose} position="right" size="xl" title="Delivery">
      {deliveryId !== null && (
        <Content key={deliveryId} path={`/webhooks/${webhookId}/deliveries/${deliveryId}`} onOpen={onOpen} />
      )}
    </Drawer>
  )
}

function Content({ path, onOpen }: { path: string; onOpen(id: string): void }) {
  const mayChange = useMay().change('Webhooks')
  const { data, error, refetch } = useGet<DeliveryWhole>(path, {
    refetchIntervalMs: REFRESH_MS,
    refetchWhile: ({ status }) => status === 'waiting',
  })
  const replay = useChange<WebhookDelivery>({
    onError: notifyError,
    onDone: ({ id }) => {
      notifyDone('Delivery queued again.')
      onOpen(id)
    },
  })
  if (data === undefined)
    return error === null ? (
      <Skeleton height={240} aria-busy />
    ) : (
      <ErrorNote error={error} onRetry={() => void refetch()} />
    )
  return (
    <Stack gap="lg">
      <Group justify="space-between">
        <Group gap="sm">
          <Text fw={600}>{data.type}</Text>
          <DeliveryStatus delivery={data} />
        </Group>
        {mayChange && (
          <Button
            variant="default"
            leftSection={<IconHistory />}
            loading={replay.isPending}
            onClick={() => replay.mutate({ path: `${path}/replay`, method: 'POST', body: {} })}
          >
            Send again
          </Button>
        )}
      </Group>
      {data.next_attempt_at !== null && data.status === 'waiting' && (
        <Text size="sm">
          The next attempt is <Moment at={data.next_attempt_at} />.
        </Text>
      )}
      <Attempts delivery={data} />
      <RequestPart request={data.request} />
      <ResponsePart response={data.response} />
    </Stack>
  )
}

function RequestPart({ request }: Pick<DeliveryWhole, 'request'>) {
  return (
    <div>
      <Title order={2} mb="xs">
        Request
      </Title>
      <Stack gap="xxs" mb="xs">
        <CopyValue text={`POST ${request.url}`} />
        {Object.entries(request.headers).map(([name, value]) => (
          <Text key={name} className="code foreign" c="dimmed">
            {name}: {value}
          </Text>
        ))}
      </Stack>
      {request.body === null ? (
        <Text size="sm" c="dimmed">
          The event is no longer available.
        </Text>
      ) : (
        <CodeBlock text={indentJson(request.body)} label="Copy body" />
      )}
    </div>
  )
}

function ResponsePart({ response }: Pick<DeliveryWhole, 'response'>) {
  return (
    <div>
      <Title order={2} mb="xs">
        Response
      </Title>
      {response === null ? (
        <Text size="sm" c="dimmed">
          No response yet.
        </Text>
      ) : (
        <>
          <Text size="sm" mb="xs">
            Status {response.status ?? 'unknown'}
          </Text>
          {response.body !== null && response.body !== '' && (
            <CodeBlock text={response.body} label="Copy response" />
          )}
        </>
      )}
    </div>
  )
}

function Attempts({ delivery: { attempts } }: { delivery: DeliveryWhole }) {
  if (attempts.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No attempts yet.
      </Text>
    )
  return (
    <Table aria-label="Attempts">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Time</Table.Th>
          <Table.Th>Response</Table.Th>
          <Table.Th>Duration</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {attempts.map(({ at, status, latency_ms: ms, error }) => (
          <Table.Tr key={at}>
            <Table.Td>
              <Moment at={at} />
            </Table.Td>
            <Table.Td className="foreign">{error ?? status ?? 'none'}</Table.Td>
            <Table.Td>{showDuration(ms)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function indentJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
