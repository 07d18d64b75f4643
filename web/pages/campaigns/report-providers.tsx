import type { CampaignMetrics } from '../../api/records.ts'
import { FiguresTable } from '../../ui/metrics/figures-table.tsx'
import { showProvider } from '../../ui/metrics/providers.ts'
import { showShare } from '../../ui/metrics/shares.ts'
import { OF_PROVIDERS, shareOf } from './stages.ts'

/** The results by mailbox provider. */
export function Providers({ providers }: Pick<CampaignMetrics, 'providers'>) {
  return (
    <FiguresTable
      label="By mailbox provider"
      headers={['Provider', 'With a result', ...OF_PROVIDERS.map(({ label }) => label)]}
    >
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
    </FiguresTable>
  )
}
