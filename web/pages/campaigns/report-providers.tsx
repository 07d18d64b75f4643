import type { CampaignMetrics } from '../../api/records.ts'
import { showProvider } from '../../ui/metrics/providers.ts'
import { showShare } from '../../ui/metrics/shares.ts'
import { OF_PROVIDERS, shareOf } from './stages.ts'
import { texts } from './texts.ts'

/** The results by mailbox provider. */
export function Providers({ providers }: Pick<CampaignMetrics, 'providers'>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must take the focus (WCAG 2.1.1)
    <section className="figures" aria-label={texts.report.byProvider} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{texts.report.provider}</th>
            <th scope="col">{texts.report.attempted}</th>
            {OF_PROVIDERS.map(({ label }) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {providers.map(({ provider, counts }) => (
            <tr key={provider}>
              <th scope="row">{showProvider(provider)}</th>
              <td>{counts.attempted.toLocaleString()}</td>
              {OF_PROVIDERS.map(({ label, countOf }) => {
                const share = shareOf(countOf(counts), counts)
                return <td key={label}>{share === null ? '–' : showShare(share)}</td>
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
