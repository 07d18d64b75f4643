import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Member } from '../../api/account-records.ts'
import { requestJson } from '../../api/request.ts'
import { sessionQuery } from '../../api/session.ts'
import { useList, useTeam } from '../../api/team.ts'
import { confirm } from '../../ui/forms/confirm.tsx'
import { notifyDone, notifyError } from '../../ui/notifications.tsx'
import { Section } from '../../ui/page/section.tsx'

/** Ends the user's own membership. */
export function LeaveTeam() {
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
