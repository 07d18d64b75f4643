import { Anchor, Skeleton } from '@mantine/core'
import { IconChartBar } from '@tabler/icons-react'
import type { EmailMetrics } from '../../api/records.ts'
import type { Query } from '../../api/request.ts'
import { useGet, useTeam } from '../../api/team.ts'
import { Link } from '../../ui/link.tsx'
import { FiguresTable } from '../../ui/metrics/figures-table.tsx'
import { showShare } from '../../ui/metrics/shares.ts'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { readTagKey, tagFilter } from '../../ui/tags.ts'
import { showDuration } from '../../ui/times.ts'
import { type Compared, deltaOf, KEY_FIGURES, type KeyFigure } from './compare.ts'
import { FILTER_OF, type Grouping, nameOfGroup } from './groups.ts'

type Group = EmailMetrics['groups'][number]

interface BreakdownProps {
  by: Exclude<Grouping, 'hours'>
  query: Query
  compared: Compared | null
}

const GROUPS_MAX = 20
/** The shares of the key figures, so that the rows agree with them. */
const SHARES = KEY_FIGURES.filter(({ shareOf }) => shareOf !== null)

/** The metrics of the period by one property of the emails, next to the previous period. */
export function Breakdown({ by, query, compared }: BreakdownProps) {
  const breakdown = useGroups(by, query)
  const now = useGroups(by, compared?.now ?? null)
  const before = useGroups(by, compared?.before ?? null)
  if (breakdown.error !== null)
    return <ErrorNote error={breakdown.error} onRetry={() => void breakdown.refetch()} />
  if (breakdown.data === undefined) return <Skeleton height={160} m="md" />
  if (breakdown.data.groups.length === 0)
    return (
      <EmptyState icon={IconChartBar} title="No metrics in this period">
        Metrics appear here as soon as emails have a result.
      </EmptyState>
    )
  return (
    <Groups
      by={by}
      groups={breakdown.data.groups}
      now={countsByKey(now.data)}
      before={countsByKey(before.data)}
    />
  )
}

/** @param query null: nothing is read */
function useGroups(by: BreakdownProps['by'], query: Query | null) {
  return useGet<EmailMetrics>('/emails/metrics', {
    query: { ...query, group_by: by, limit: GROUPS_MAX },
    enabled: query !== null,
  })
}

type CountsByKey = ReadonlyMap<string, Group['counts']>

const countsByKey = (metrics: EmailMetrics | undefined): CountsByKey =>
  new Map(metrics?.groups.map(({ key, counts }) => [key, counts]))

interface GroupsProps {
  by: BreakdownProps['by']
  groups: readonly Group[]
  /** The counts to compare. */
  now: CountsByKey
  before: CountsByKey
}

function Groups({ by, groups, now, before }: GroupsProps) {
  const most = Math.max(1, ...groups.map(({ counts }) => counts.attempted ?? 0))
  return (
    <FiguresTable
      label="Breakdown"
      headers={['Name', 'Recipients', ...SHARES.map(({ label }) => label), 'Time p50', 'p90']}
    >
      {groups.map((group) => {
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
            {SHARES.map((figure) => (
              <Share
                key={figure.key}
                figure={figure}
                counts={group.counts}
                now={now.get(group.key)}
                before={before.get(group.key)}
              />
            ))}
            <td>{p50 === null ? '–' : showDuration(p50)}</td>
            <td>{p90 === null ? '–' : showDuration(p90)}</td>
          </tr>
        )
      })}
    </FiguresTable>
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
    <Anchor
      component={Link}
      to={`/${team.id}/emails`}
      search={(by === 'tag' ? tagFilter(readTagKey(key)) : { [FILTER_OF[by]]: key }) as never}
      inherit
    >
      {label}
    </Anchor>
  )
}

interface ShareProps {
  figure: KeyFigure
  /** Those of the whole period. */
  counts: Group['counts']
  now: Group['counts'] | undefined
  before: Group['counts'] | undefined
}

function Share({ figure, counts, now, before }: ShareProps) {
  const share = figure.shareOf?.(counts) ?? null
  if (share === null) return <td>–</td>
  const delta = now === undefined || before === undefined ? null : deltaOf(figure, now, before)
  return (
    <td>
      {showShare(share)}
      {delta !== null && delta.direction !== 'same' && (
        <span className="stat-delta" data-tone={delta.direction === 'worse' ? 'red' : 'green'}>
          {delta.amount}
        </span>
      )}
    </td>
  )
}
