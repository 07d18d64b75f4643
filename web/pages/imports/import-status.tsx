import type { Import } from '../../api/records.ts'
import { State, StatusBadge } from '../../ui/status-badge.tsx'

/** The state of an import. A file that was read to its end is no success if its rows were skipped. */
export function ImportStatus({ of }: { of: Import }) {
  const { status, dry_run, rows_read, rows_failed } = of
  if (status !== 'completed') return <StatusBadge status={status} />
  if (isAllSkipped(of)) return <State tone="red">Nothing imported</State>
  if (dry_run) return <State tone="gray">Checked only</State>
  if (rows_failed > 0)
    return (
      <State tone="amber">
        {rows_failed.toLocaleString()} of {rows_read.toLocaleString()} skipped
      </State>
    )
  return <StatusBadge status={status} />
}

export const isAllSkipped = ({ rows_read, rows_failed }: Import): boolean =>
  rows_read > 0 && rows_failed === rows_read
