import type { Usage } from '../../api/records.ts'

type Months = Usage['months']

const NAMES = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Recipients and emails by month, as numbers with bars. */
export function MonthBars({ months }: { months: Months }) {
  const most = Math.max(1, ...months.map(({ recipients }) => recipients))
  return (
    <table className="rows" aria-label="Usage by month">
      <thead>
        <tr>
          <th scope="col" style={{ width: '34%' }}>
            Month
          </th>
          <th scope="col" style={{ textAlign: 'right' }}>
            Recipients
          </th>
          <th scope="col" style={{ textAlign: 'right' }}>
            Emails
          </th>
          <th scope="col" data-wide style={{ width: '40%' }}>
            Share of the busiest month
          </th>
        </tr>
      </thead>
      <tbody>
        {months.map(({ month, recipients, emails }) => (
          <tr key={month}>
            <td>{NAMES.format(new Date(`${month}-01T00:00:00Z`))}</td>
            <td style={{ textAlign: 'right' }}>{recipients.toLocaleString()}</td>
            <td style={{ textAlign: 'right' }}>{emails.toLocaleString()}</td>
            <td data-wide>
              <div
                aria-hidden
                className="month-bar"
                style={{ width: `${Math.max(0.5, (100 * recipients) / most)}%` }}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
