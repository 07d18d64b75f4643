import { Anchor, Skeleton } from '@mantine/core'
import { IconChartBar } from '@tabler/icons-react'
import type { EmailMetrics } from '../../api/records.ts'
import type { Query } from '../../api/request.ts'
import { useGet, useTeam } from '../../api/team.ts'
import { Link } from '../../ui/link.tsx'
import { showShare } from '../../ui/metrics/shares.ts'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { showDuration } from '../../ui/times.ts'
import { FILTER_OF, type Grouping, nameOfGroup } from './groups.ts'
import { texts } from './texts.ts'

type Group = EmailMetrics['groups'][number]

interface BreakdownProps {
  by: Exclude<Grouping, 'hours'>
  query: Query
  queryBefore: Query | null
}

const GROUPS_MAX = 20

/** The metrics of the period by one property of the emails, next to the previous period. */
export function Breakdown({ by, query, queryBefore }: BreakdownProps) {
  const group = { group_by: by, limit: GROUPS_MAX }
  const now = useGet<EmailMetrics>('/emails/metrics', { query: { ...query, ...group } })
  const past = useGet<EmailMetrics>('/emails/metrics', {
    query: { ...queryBefore, ...group },
    enabled: queryBefore !== null,
  })
  if (now.error !== null) return <ErrorNote error={now.error} onRetry={() => void now.refetch()} />
  if (now.data === undefined) return <Skeleton height={160} m="md" />
  if (now.data.groups.length === 0)
    return (
      <EmptyState icon={IconChartBar} title={texts.breakdown.noMetricsPeriod}>
        {texts.breakdown.metricsAppearHereSoon}
      </EmptyState>
    )
  const before = new Map(past.data?.groups.map((each) => [each.key, each]))
  return <Groups by={by} groups={now.data.groups} before={before} />
}

interface GroupsProps {
  groups: readonly Group[]
  before: ReadonlyMap<string, Group>
}

function Groups({ by, groups, before }: GroupsProps & { by: keyof typeof FILTER_OF }) {
  const most = Math.max(1, ...groups.map(({ counts }) => counts.attempted ?? 0))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must take the focus (WCAG 2.1.1)
    <section className="figures" aria-label={texts.breakdown.breakdown} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{texts.breakdown.name}</th>
            <th scope="col">{texts.breakdown.recipients}</th>
            <th scope="col">{texts.breakdown.delivered}</th>
            <th scope="col">{texts.breakdown.bounced}</th>
            <th scope="col">{texts.breakdown.complaints}</th>
            <th scope="col">{texts.breakdown.opened}</th>
            <th scope="col">{texts.breakdown.clicked}</th>
            <th scope="col">{texts.breakdown.timeP50}</th>
            <th scope="col">{'p90'}</th>
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => {
            const past = before.get(group.key)
            const { p50, p90 } = group.time_to_deliver_ms
            return (
              <tr key={group.key}>
                <th scope="row">
                  <GroupName by={by} group={group} />
                  <span
                    className="share-bar"
                    style={{ width: `${((group.counts.attempted ?? 0) / most) * 100}%` }}
                    aria-hidden
                  />
                </th>
                <td>{(group.counts.attempted ?? 0).toLocaleString()}</td>
                <Rate is={group.rates.delivered} was={past?.rates.delivered} />
                <Rate is={group.rates.bounced} was={past?.rates.bounced} isBad />
                <Rate is={group.rates.complained} was={past?.rates.complained} isBad />
                <Rate is={group.rates.opened} was={past?.rates.opened} />
                <Rate is={group.rates.clicked} was={past?.rates.clicked} />
                <td>{p50 === null ? '–' : showDuration(p50)}</td>
                <td>{p90 === null ? '–' : showDuration(p90)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

/** Domains, templates and tags open their emails. The list of emails has no providers: they filter this page. */
function GroupName({ by, group: { key, name } }: { by: keyof typeof FILTER_OF; group: Group }) {
  const team = useTeam()
  const label = <bdi className="foreign">{nameOfGroup(by, key, name)}</bdi>
  if (key === '*') return label
  if (by === 'provider')
    return (
      <Anchor
        component={Link}
        to="."
        search={(before: object) => ({ ...before, provider: key }) as never}
        inherit
      >
        {label}
      </Anchor>
    )
  return (
    <Anchor component={Link} to={`/${team.id}/emails`} search={{ [FILTER_OF[by]]: key } as never} inherit>
      {label}
    </Anchor>
  )
}

function Rate({
  is,
  was,
  isBad = false,
}: {
  is: number | null
  was: number | null | undefined
  isBad?: boolean
}) {
  if (is === null) return <td>–</td>
  const change = was == null ? 0 : Math.round((is - was) * 1_000) / 10
  return (
    <td>
      {showShare(is)}
      {change !== 0 && (
        <span className="stat-delta" data-tone={change > 0 === isBad ? 'red' : 'green'}>
          {change > 0 ? '+' : '−'}
          {Math.abs(change).toLocaleString()}
        </span>
      )}
    </td>
  )
}
