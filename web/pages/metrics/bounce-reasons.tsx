import { Anchor, Skeleton, Text } from '@mantine/core'
import type { EmailMetrics } from '../../api/records.ts'
import type { Query } from '../../api/request.ts'
import { useGet, useTeam } from '../../api/team.ts'
import { Link } from '../../ui/link.tsx'
import { FiguresTable } from '../../ui/metrics/figures-table.tsx'
import { showShare } from '../../ui/metrics/shares.ts'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { Section } from '../../ui/page/section.tsx'
import { nameOfCause } from './causes.ts'

/** The most groups that the API returns. */
const CAUSES_MAX = 20
const FAILURES = ['bounced', 'rejected', 'failed'] as const

type Failures = Record<(typeof FAILURES)[number], number>
type Cause = Failures & { key: string; name: string }

/** The causes of a period's failures, which add up to the failed recipients. */
export function BounceReasons({ query }: { query: Query }) {
  const team = useTeam()
  const { data, error, refetch } = useGet<EmailMetrics>('/emails/metrics', {
    query: { ...query, group_by: 'reason', limit: CAUSES_MAX },
  })
  const causes = data === undefined ? [] : causesOf(data)
  return (
    <Section
      title="Why mail bounced"
      description="Bounced, rejected and failed recipients by cause."
      actions={
        <Anchor component={Link} to={`/${team.id}/emails`} search={{ status: 'bounced' } as never} size="sm">
          Bounced emails
        </Anchor>
      }
      isFlush
    >
      {error !== null ? (
        <ErrorNote error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={120} m="md" />
      ) : causes.length === 0 ? (
        <Text size="sm" c="dimmed" p="md">
          No recipient bounced in this period.
        </Text>
      ) : (
        <CausesTable causes={causes} />
      )}
    </Section>
  )
}

const failuresOf = (counts: EmailMetrics['totals']): Failures => ({
  bounced: counts.bounced ?? 0,
  rejected: counts.rejected ?? 0,
  failed: counts.failed ?? 0,
})

const sumOf = ({ bounced, rejected, failed }: Failures): number => bounced + rejected + failed

/** Returns the causes, and as a last row what the groups do not contain. */
function causesOf({ groups, totals }: EmailMetrics): Cause[] {
  const causes = groups.map(({ key, counts }) => ({ key, name: nameOfCause(key), ...failuresOf(counts) }))
  const rest = failuresOf(totals)
  for (const cause of causes) for (const name of FAILURES) rest[name] = Math.max(0, rest[name] - cause[name])
  return sumOf(rest) === 0 ? causes : [...causes, { key: '*', name: 'Other causes', ...rest }]
}

function CausesTable({ causes }: { causes: readonly Cause[] }) {
  const total = causes.reduce((sum, cause) => sum + sumOf(cause), 0)
  const most = Math.max(...causes.map(sumOf))
  return (
    <FiguresTable label="Causes" headers={['Cause', 'Share', 'Bounced', 'Rejected', 'Failed']}>
      {causes.map((cause) => (
        <tr key={cause.key}>
          <th scope="row">
            {cause.name}
            <span className="share-bar" style={{ width: `${(sumOf(cause) / most) * 100}%` }} aria-hidden />
          </th>
          <td>{showShare(sumOf(cause) / total)}</td>
          {FAILURES.map((name) => (
            <td key={name}>{cause[name].toLocaleString()}</td>
          ))}
        </tr>
      ))}
    </FiguresTable>
  )
}
