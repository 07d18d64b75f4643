import { Anchor, Drawer, Group, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { RequestLog } from '../../api/records.ts'
import { useGet, useTeam } from '../../api/team.ts'
import { showBytes } from '../../ui/bytes.ts'
import { CodeBlock, CopyValue } from '../../ui/copy.tsx'
import { Fact } from '../../ui/facts.tsx'
import { Link } from '../../ui/link.tsx'
import { Moment } from '../../ui/moment.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { showDuration } from '../../ui/times.ts'
import { ResponseStatus } from './response-status.tsx'

interface RequestDrawerProps {
  /** Null while the drawer is closed. */
  requestId: string | null
  onClose(): void
}

/** One request and its error, if any. */
export function RequestDrawer({ requestId, onClose }: RequestDrawerProps) {
  return (
    <Drawer opened={requestId !== null} onClose={onClose} position="right" size="lg" title="Request">
      {requestId !== null && <Content key={requestId} path={`/logs/${encodeURIComponent(requestId)}`} />}
    </Drawer>
  )
}

function Content({ path }: { path: string }) {
  const { data, error, refetch } = useGet<RequestLog>(path, { isFixed: true })
  if (data === undefined)
    return error === null ? (
      <Skeleton height={240} aria-busy />
    ) : (
      <ErrorNote error={error} onRetry={() => void refetch()} />
    )
  return (
    <Stack gap="lg">
      <Group gap="sm" wrap="nowrap">
        <ResponseStatus status={data.response_status} />
        <Text className="code foreign">
          {data.method} {data.endpoint}
        </Text>
      </Group>
      <Facts request={data} />
      <div>
        <Title order={2} mb="xs">
          Response
        </Title>
        {data.response_body === null ? (
          <Text size="sm" c="dimmed">
            The request succeeded. Its bodies are not stored.
          </Text>
        ) : (
          <CodeBlock text={JSON.stringify(data.response_body, null, 2)} label="Copy response" />
        )}
      </div>
    </Stack>
  )
}

function Facts({ request }: { request: RequestLog }) {
  const { api_key: key, record_id: recordId } = request
  const sizes = [request.request_size, request.response_size].map((size) =>
    size === null ? '–' : showBytes(size),
  )
  return (
    <SimpleGrid component="dl" cols={{ base: 1, sm: 2 }} m={0}>
      <Fact label="Request ID">
        <CopyValue text={request.id} label="Copy request ID" />
      </Fact>
      <Fact label="Time">
        <Moment at={request.created_at} />
      </Fact>
      <Fact label="Duration">{showDuration(request.duration_ms)}</Fact>
      <Fact label="Size of request and response">{sizes.join(' and ')}</Fact>
      <Fact label="API key">
        <span className="foreign">{key.name ?? key.id}</span>
      </Fact>
      <Fact label="Client address">{request.ip_address ?? '–'}</Fact>
      <Fact label="Client">
        <span className="foreign">{request.user_agent ?? '–'}</span>
      </Fact>
      {recordId !== null && (
        <Fact label="Created record">
          <Created request={request} id={recordId} />
        </Fact>
      )}
    </SimpleGrid>
  )
}

/** The id of the created record, as a link if it is an email. */
function Created({ request: { route }, id }: { request: RequestLog; id: string }): ReactNode {
  const team = useTeam()
  const isEmail = route === '/emails' || route?.startsWith('/emails/') === true
  if (!isEmail) return <CopyValue text={id} label="Copy ID" />
  return (
    <Anchor component={Link} to={`/${team.id}/emails/${id}`} size="sm" className="code">
      {id}
    </Anchor>
  )
}
