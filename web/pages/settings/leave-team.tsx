import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { requestJson } from '../../api/request.ts'
import { sessionQuery } from '../../api/session.ts'
import { useTeam } from '../../api/team.ts'
import { confirm } from '../../ui/forms/confirm.tsx'
import { notifyDone, notifyError } from '../../ui/page/notifications.tsx'
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
      action: 'Leave the team',
      onConfirm: () => void leave().catch(notifyError),
    })
  return (
    <Section
      title="Leave the team"
      description="The last owner cannot leave. Make another member an owner first."
    >
      <Button variant="outline" color="red" onClick={question}>
        Leave the team
      </Button>
    </Section>
  )
}
