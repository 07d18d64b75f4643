import { Button } from '@mantine/core'
import { IconRocket, IconUserPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Member } from '../../api/account-records.ts'
import { requestJson } from '../../api/request.ts'
import { sessionQuery } from '../../api/session.ts'
import { useList, useMay, useTeam } from '../../api/team.ts'
import { confirm } from '../../ui/forms/confirm.tsx'
import { useDialog } from '../../ui/forms/dialog.ts'
import { Link } from '../../ui/link.tsx'
import { notifyDone, notifyError } from '../../ui/notifications.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Section } from '../../ui/page/section.tsx'
import { General } from './general.tsx'
import { Invitations } from './invitations.tsx'
import { InviteForm } from './invite-form.tsx'
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

/** Ends the user's own membership. */
function LeaveTeam() {
  const team = useTeam()
  const client = useQueryClient()
  const navigate = useNavigate()
  const leave = async () => {
    await requestJson('/team/leave', { method: 'POST', teamId: team.id })
    await client.invalidateQueries({ queryKey: sessionQuery.queryKey })
    notifyDone(`You have left ${team.name}.`)
    await navigate({ to: '/' })
  }
  const question = () =>
    confirm({
      title: `Leave ${team.name}?`,
      children: 'You lose access at once. To come back, you need a new invitation.',
      action: 'Leave team',
      onConfirm: () => void leave().catch(notifyError),
    })
  const isLastOwner = useIsLastOwner()
  return (
    <Section
      title="Leave team"
      description={
        isLastOwner
          ? 'You are the only owner. To leave, make another member an owner first.'
          : 'You lose access at once. To come back, you need a new invitation.'
      }
    >
      {!isLastOwner && (
        <Button variant="outline" color="red" onClick={question}>
          Leave team
        </Button>
      )}
    </Section>
  )
}

/** Returns whether the user is the team's only owner, whom the API does not let leave. */
function useIsLastOwner(): boolean {
  const { role } = useTeam()
  const members = useList<Member>('/team/members')
  if (role !== 'owner' || members.hasMore) return false
  return members.rows.filter((member) => member.role === 'owner').length <= 1
}
