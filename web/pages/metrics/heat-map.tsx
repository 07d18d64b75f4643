import { SegmentedControl, Skeleton } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { EmailMetrics } from '../../api/records.ts'
import type { Query } from '../../api/request.ts'
import { useGet } from '../../api/team.ts'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { DAY_NAMES, HOURS, sumByHourOfWeek } from './heat.ts'

const MEASURES = [
  { value: 'attempted', label: 'Recipients' },
  { value: 'opened_unique', label: 'Opened' },
  { value: 'clicked_unique', label: 'Clicked' },
] as const

/** The hours of the week in which emails are sent, opened and clicked. */
export function HeatMap({ query }: { query: Query }) {
  const [measure, setMeasure] = useState<string>('attempted')
  const { data, error, refetch } = useGet<EmailMetrics>('/emails/metrics', { query })
  const sums = useMemo(() => (data === undefined ? [] : sumByHourOfWeek(data, measure)), [data, measure])
  if (error !== null) return <ErrorNote error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton height={220} m="md" />
  const top = Math.max(1, ...sums.flat())
  return (
    <div className="heat">
      <SegmentedControl
        size="xs"
        aria-label="Metric"
        value={measure}
        onChange={setMeasure}
        data={MEASURES.map(({ value, label }) => ({ value, label }))}
      />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must take the focus (WCAG 2.1.1) */}
      <section className="heat-scroll" aria-label="Hours of the week" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <td />
              {Array.from({ length: HOURS }, (_, hour) => (
                <th key={String(hour)} scope="col">
                  {hour}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sums.map((row, day) => (
              <tr key={DAY_NAMES[day]}>
                <th scope="row">{DAY_NAMES[day]}</th>
                {row.map((count, hour) => (
                  <td
                    key={String(hour)}
                    title={`${DAY_NAMES[day]} ${hour}:00 · ${count.toLocaleString()}`}
                    style={{ '--share': `${(count / top) * 100}%` } as never}
                  >
                    {count === 0 ? '' : COMPACT.format(count)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  )
}

const COMPACT = new Intl.NumberFormat(undefined, { notation: 'compact', maximumSignificantDigits: 2 })
