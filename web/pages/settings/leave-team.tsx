import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Member } from '../../api/account-records.ts'
import { requestJson } from '../../api/request.ts'
import { sessionQuery } from '../../api/session.ts'
import { useList, useTeam } from '../../api/team.ts'
import { confirm } from '../../ui/forms/confirm.tsx'
import { notifyDone, notifyError } from '../../ui/page/notifications.tsx'
import { Section } from '../../ui/page/section.tsx'
import { texts } from './texts.ts'

/** Ends the user's own membership. */
export function LeaveTeam() {
  const team = useTeam()
  const client = useQueryClient()
  const navigate = useNavigate()
  const leave = async () => {
    await requestJson('/team/leave', { method: 'POST', teamId: team.id })
    await client.invalidateQueries({ queryKey: sessionQuery.queryKey })
    notifyDone(texts.leaveTeam.youHaveLeft(team.name))
    await navigate({ to: '/' })
  }
  const question = () =>
    confirm({
      title: texts.leaveTeam.leaveQuestion(team.name),
      children: texts.leaveTeam.loseAccessOnceCome,
      action: texts.leaveTeam.leaveTeam,
      onConfirm: () => void leave().catch(notifyError),
    })
  const isLastOwner = useIsLastOwner()
  return (
    <Section
      title={texts.leaveTeam.leaveTheTeam}
      description={isLastOwner ? texts.leaveTeam.onlyOwnerLeaveMake : texts.leaveTeam.loseAccessOnceCome}
    >
      {!isLastOwner && (
        <Button variant="outline" color="red" onClick={question}>
          {texts.leaveTeam.leaveTeam}
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
