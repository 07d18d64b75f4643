import { Anchor } from '@mantine/core'
import type { Session, TeamOfSession } from '../api/session.ts'
import { Link } from '../ui/link.tsx'

interface TestStripProps {
  installation: Session['installation']
  team: TeamOfSession | null
}

/** States on every page that the server is in capture mode. */
export function TestStrip({ installation, team }: TestStripProps) {
  if (installation.delivery !== 'capture') return null
  return (
    <aside className="test-strip" aria-label="Capture mode">
      <span>
        <span className="dot" data-tone="amber" aria-hidden />
        <strong>Capture mode: nothing leaves this machine</strong>
      </span>
      {team !== null && (
        <span className="actions">
          <Anchor component={Link} to={`/${team.id}/captured`} size="xs">
            Open mailbox
          </Anchor>
          <Anchor component={Link} to={`/${team.id}/go-live`} size="xs">
            Go live
          </Anchor>
        </span>
      )}
    </aside>
  )
}
