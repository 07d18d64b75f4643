import type { SoakSample } from './samples.ts'

const WIDTH = 900
const PANEL_HEIGHT = 110
const LEFT = 150
const RIGHT = 16
const GAP = 18

export interface Panel {
  title: string
  read(sample: SoakSample): number
}

/** Draws one line for each panel over the emails sent, as SVG. Each axis begins at zero. */
export function drawChart(samples: readonly SoakSample[], panels: readonly Panel[]): string {
  const emailsMax = Math.max(1, ...samples.map(({ emails }) => emails))
  const height = panels.length * (PANEL_HEIGHT + GAP) + 30
  const drawn = panels.map((panel, index) =>
    drawPanel(samples, panel, emailsMax, GAP + index * (PANEL_HEIGHT + GAP)),
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12">
<title>Figures of the soak, over the emails sent</title>
<rect width="${WIDTH}" height="${height}" fill="#fff"/>
${drawn.join('\n')}
<text x="${WIDTH - RIGHT}" y="${height - 10}" text-anchor="end" fill="#374151">${emailsMax.toLocaleString('en-US')} emails</text>
</svg>
`
}

function drawPanel(
  samples: readonly SoakSample[],
  { title, read }: Panel,
  emailsMax: number,
  top: number,
): string {
  const values = samples.map(read)
  const most = Math.max(...values.filter(Number.isFinite), Number.MIN_VALUE)
  const x = (emails: number) => (LEFT + (emails / emailsMax) * (WIDTH - LEFT - RIGHT)).toFixed(1)
  const y = (value: number) => (top + PANEL_HEIGHT * (1 - value / most)).toFixed(1)
  const points = samples.flatMap((sample) => {
    const value = read(sample)
    return Number.isFinite(value) ? [`${x(sample.emails)},${y(value)}`] : []
  })
  const bottom = top + PANEL_HEIGHT
  const label = most.toLocaleString('en-US', { maximumSignificantDigits: 3 })
  return `<text x="8" y="${top + 14}" fill="#111827">${title}</text>
<text x="${LEFT - 6}" y="${top + 28}" text-anchor="end" fill="#6b7280">${label}</text>
<path d="M${LEFT} ${top}V${bottom}H${WIDTH - RIGHT}" fill="none" stroke="#d1d5db"/>
<polyline points="${points.join(' ')}" fill="none" stroke="#2563eb" stroke-width="1.5"/>`
}
