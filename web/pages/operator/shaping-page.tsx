import { Alert, Badge, Group, Skeleton, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { Shaping } from '../../api/records.ts'
import { useGet } from '../../api/team.ts'
import { Moment } from '../../ui/moment.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Section } from '../../ui/page/section.tsx'
import { showWord } from '../../ui/status-badge.tsx'
import { showDuration } from '../../ui/times.ts'

type Rule = Shaping['rules'][number]

/** The shaping rules. */
export function ShapingPage() {
  const { data, error, refetch } = useGet<Shaping>('/operator/shaping', { isTeamless: true })
  return (
    <Page
      title="Shaping rules"
      trail={[{ label: 'Sites', to: '/operator/sites' }]}
      description="Limits on connections and rates for each destination, and the replies that slow down or pause delivery. Rules in the operator’s file take precedence over built-in rules."
    >
      <ErrorNote error={error} onRetry={() => void refetch()} />
      {data === undefined ? (
        error === null && <Skeleton height={320} radius="md" aria-busy />
      ) : (
        <Sections shaping={data} />
      )}
    </Page>
  )
}

function Sections({
  shaping: { file, loaded_at: loadedAt, failure, probes_seconds: probes, rules },
}: {
  shaping: Shaping
}) {
  return (
    <>
      {failure !== null && (
        <Alert color="red" icon={<IconAlertTriangle />} title="The rules file could not be loaded" mb="md">
          <span className="foreign">{failure.message}</span> The previous rules stay in force. The file was
          read <Moment at={failure.at} />.
        </Alert>
      )}
      <Section title="Source">
        <Text size="sm">
          {file === null ? (
            'SENDWRIGHT_RULES_FILE is not set. Only the built-in rules apply.'
          ) : (
            <span className="code foreign">{file}</span>
          )}
        </Text>
        {loadedAt !== null && (
          <Text size="sm" c="dimmed">
            In force since <Moment at={loadedAt} />. To reload the file, send SIGHUP to the server.
          </Text>
        )}
        <Text size="sm" c="dimmed">
          An unreachable site is retried after{' '}
          {probes.map((seconds) => showDuration(seconds * 1_000)).join(', ')}. The last interval repeats.
        </Text>
      </Section>
      {rules.map((rule, index) => (
        <RuleSection key={`${rule.source} ${rule.name} ${String(index)}`} rule={rule} />
      ))}
    </>
  )
}

function RuleSection({ rule }: { rule: Rule }) {
  const limits = [
    rule.connections_max === null ? null : `${rule.connections_max} connections at most`,
    rule.connections_start === null ? null : `starts with ${rule.connections_start}`,
    rule.messages_per_connection === null ? null : `${rule.messages_per_connection} messages per connection`,
    rule.rate === null ? null : `${rule.rate} messages`,
  ].filter((text) => text !== null)
  return (
    <Section
      title={rule.name}
      description={describeMatch(rule)}
      actions={<Badge>{rule.source === 'file' ? 'From the file' : 'Built in'}</Badge>}
    >
      <Text size="sm">{limits.length === 0 ? 'No limits.' : limits.join(', ')}</Text>
      {rule.replies.map((reply) => (
        <Group key={`${reply.pattern} ${reply.stage} ${reply.code}`} gap="xs" mt="xs" align="baseline">
          <Badge>
            {showWord(reply.action)}
            {reply.for_seconds === null ? '' : ` for ${showDuration(reply.for_seconds * 1_000)}`}
          </Badge>
          <Text className="code foreign" c="dimmed" style={{ flex: '1 1 200px', minWidth: 0 }}>
            {reply.code ?? ''} {reply.pattern}
          </Text>
        </Group>
      ))}
    </Section>
  )
}

function describeMatch({ match: { mx, domain } }: Rule): string {
  const parts = []
  if (mx !== null) parts.push(`servers named ${mx.join(', ')}`)
  if (domain !== null) parts.push(`recipients at ${domain.join(', ')}`)
  return parts.length === 0 ? 'All destinations' : parts.join(' and ')
}
