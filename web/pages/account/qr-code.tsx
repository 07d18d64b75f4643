import { useMemo } from 'react'
import { encode } from 'uqr'

/** Width of the quiet zone in modules (ISO/IEC 18004 section 6.3.8). */
const BORDER = 4

/** A QR code of the text, black on white in every colour scheme. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => {
    const code = encode(text, { ecc: 'M', border: BORDER })
    return { size: code.size, path: drawModules(code.data) }
  }, [text])
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      width={208}
      height={208}
      shapeRendering="crispEdges"
      className="qr-code"
    >
      <path d={path} />
    </svg>
  )
}

/** Returns an SVG path with a unit square for each dark module. */
function drawModules(rows: readonly (readonly boolean[])[]): string {
  return rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
}
