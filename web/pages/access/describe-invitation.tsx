import { Text } from '@mantine/core'
import type { ToldInvitation } from '../../api/account-records.ts'
import { withArticle } from '../../ui/role-words.ts'

/** Names the inviter, the team and the role. */
export function DescribeInvitation({
  invitation: { invited_by: inviter, role },
}: {
  invitation: ToldInvitation
}) {
  return (
    <>
      {inviter === null ? (
        'You were invited'
      ) : (
        <>
          <Text span fw={500} inherit className="foreign">
            {inviter}
          </Text>{' '}
          invited you
        </>
      )}{' '}
      to this team as {withArticle(role)}.
    </>
  )
}
