import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ask } from '../../api/request.ts'
import { sessionQuery } from '../../api/session.ts'
import { useTeam } from '../../api/team.ts'
import { confirm } from '../../ui/confirm.tsx'
import { tellDone, tellError } from '../../ui/notices.tsx'
import { Section } from '../../ui/section.tsx'

/** Ends one's own membership. */
export function LeaveTeam() {
  const team = useTeam()
  const client = useQueryClient()
  const navigate = useNavigate()
  const leave = async () => {
    await ask('/team/leave', { method: 'POST', teamId: team.id })
    await client.invalidateQueries({ queryKey: sessionQuery.queryKey })
    tellDone(`You are no member of ${team.name} any more.`)
    await navigate({ to: '/' })
  }
  const question = () =>
    confirm({
      title: `Leave ${team.name}?`,
      children: 'You lose access at once. Somebody of the team can invite you again.',
      action: 'Leave the team',
      onConfirm: () => void leave().catch(tellError),
    })
  return (
    <Section title="Leave the team" description="The last owner cannot: make somebody else an owner first.">
      <Button variant="outline" color="red" onClick={question}>
        Leave the team
      </Button>
    </Section>
  )
}
