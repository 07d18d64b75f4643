import type { EmailSummary } from '../api/records.ts'
import { useSession } from '../api/session.ts'
import { State, StatusBadge } from './status-badge.tsx'
import { wasCaptured } from './was-captured.ts'

/** The state of mail that capture mode stored. The API calls it `delivered`, but nobody received it. */
export function CapturedState() {
  return <State tone="gray">Captured</State>
}

/** The status of a recipient or attempt. */
export function DeliveryState({ status, host }: { status: string; host: string | null }) {
  return wasCaptured(status, host) ? <CapturedState /> : <StatusBadge status={status} />
}

type Listed = Pick<EmailSummary, 'status' | 'to' | 'cc' | 'bcc'>

/** Returns whether every recipient is at the simulator. The metrics leave such mail out. */
const isSimulated = ({ to, cc, bcc }: Pick<Listed, 'to' | 'cc' | 'bcc'>): boolean =>
  [...to, ...cc, ...bcc].every((address) => /@simulator\.test>?$/i.test(address))

/** Marks mail that only the simulator received. */
export function SimulatedBadge({ email }: { email: Pick<Listed, 'to' | 'cc' | 'bcc'> }) {
  if (!isSimulated(email)) return null
  return (
    <span className="tag above" data-hint="Only the simulator received this email. Metrics do not count it.">
      Simulated
    </span>
  )
}

/** The status of an email in a list. The simulator answers its own addresses in capture mode, too. */
export function EmailStatus({ email }: { email: Listed }) {
  const { delivery } = useSession().installation
  const { status } = email
  return delivery === 'capture' && status === 'delivered' && !isSimulated(email) ? (
    <CapturedState />
  ) : (
    <StatusBadge status={status} />
  )
}
