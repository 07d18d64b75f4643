import { Button } from '@mantine/core'
import { IconRocket, IconUserPlus } from '@tabler/icons-react'
import { useMay, useTeam } from '../../api/team.ts'
import { useDialog } from '../../ui/forms/dialog.ts'
import { Link } from '../../ui/link.tsx'
import { Page } from '../../ui/page/page.tsx'
import { General } from './general.tsx'
import { Invitations } from './invitations.tsx'
import { InviteForm } from './invite-form.tsx'
import { LeaveTeam } from './leave-team.tsx'
import { Members } from './members.tsx'
import { Notifications } from './notifications.tsx'
import { RetentionPeriods } from './retention-periods.tsx'
import { RoleTable } from './role-table.tsx'

/** The settings and members of the team. */
export function SettingsPage() {
  const team = useTeam()
  const mayChange = useMay().change('Team')
  const inviting = useDialog('invite')
  return (
    <Page
      title="Team settings"
      description="Members, roles, alerts and data retention."
      actions={
        <>
          <Button component={Link} to={`/${team.id}/go-live`} variant="subtle" leftSection={<IconRocket />}>
            Go live
          </Button>
          {mayChange && (
            <Button leftSection={<IconUserPlus />} onClick={() => inviting.open()}>
              Invite member
            </Button>
          )}
        </>
      }
    >
      <General />
      <Members />
      {mayChange && <Invitations />}
      <Notifications />
      <RoleTable />
      <RetentionPeriods />
      <LeaveTeam />
      {mayChange && <InviteForm isOpen={inviting.isOpen} onClose={inviting.close} />}
    </Page>
  )
}
