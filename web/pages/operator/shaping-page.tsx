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
import { texts } from './texts.ts'

type Rule = Shaping['rules'][number]

/** The shaping rules. */
export function ShapingPage() {
  const { data, error, refetch } = useGet<Shaping>('/operator/shaping', { isTeamless: true })
  return (
    <Page
      title={texts.shapingPage.shapingRules}
      trail={[{ label: texts.shapingPage.sites, to: '/operator/sites' }]}
      description={texts.shapingPage.limitsConnectionsRatesEach}
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
  shaping: { file, loaded_at: loaded, failure, probes_seconds: probes, rules },
}: {
  shaping: Shaping
}) {
  return (
    <>
      {failure !== null && (
        <Alert color="red" icon={<IconAlertTriangle />} title={texts.shapingPage.rulesFileCouldNot} mb="md">
          <span className="foreign">{failure.message}</span> {texts.shapingPage.previousRulesStayForce}{' '}
          <Moment at={failure.at} />.
        </Alert>
      )}
      <Section title={texts.shapingPage.source}>
        <Text size="sm">
          {file === null ? (
            texts.shapingPage.sendwrightRulesFileNot
          ) : (
            <span className="code foreign">{file}</span>
          )}
        </Text>
        {loaded !== null && (
          <Text size="sm" c="dimmed">
            {texts.shapingPage.inForceSince} <Moment at={loaded} />
            {texts.shapingPage.reloadFileSendSighup}
          </Text>
        )}
        <Text size="sm" c="dimmed">
          {texts.shapingPage.unreachableSiteRetriedAfter(
            probes.map((seconds) => showDuration(seconds * 1_000)).join(', '),
          )}
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
    rule.connections_max === null ? null : texts.shapingPage.connectionsAtMost(rule.connections_max),
    rule.connections_start === null ? null : texts.shapingPage.startsWith(rule.connections_start),
    rule.messages_per_connection === null
      ? null
      : texts.shapingPage.messagesPerConnection(rule.messages_per_connection),
    rule.rate === null ? null : texts.shapingPage.rate(rule.rate),
  ].filter((text) => text !== null)
  return (
    <Section
      title={rule.name}
      description={describeMatch(rule)}
      actions={
        <Badge>{rule.source === 'file' ? texts.shapingPage.fromTheFile : texts.shapingPage.builtIn}</Badge>
      }
    >
      <Text size="sm">{limits.length === 0 ? texts.shapingPage.noLimits : limits.join(', ')}</Text>
      {rule.replies.map((reply) => (
        <Group key={`${reply.pattern} ${reply.stage} ${reply.code}`} gap="xs" mt="xs" align="baseline">
          <Badge>
            {showWord(reply.action)}
            {reply.for_seconds === null
              ? ''
              : texts.shapingPage.duration(showDuration(reply.for_seconds * 1_000))}
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
  if (mx !== null) parts.push(texts.shapingPage.serversNamed(mx.join(', ')))
  if (domain !== null) parts.push(texts.shapingPage.recipientsAt(domain.join(', ')))
  return parts.length === 0 ? texts.shapingPage.everybody : parts.join(' and ')
}
