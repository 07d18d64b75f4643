import { Text } from '@mantine/core'
import type { ToldInvitation } from '../../api/account-records.ts'
import { withArticle } from '../../ui/role-words.ts'
import { texts } from './texts.ts'

/** Names the inviter, the team and the role. */
export function DescribeInvitation({
  invitation: { invited_by: inviter, role },
}: {
  invitation: ToldInvitation
}) {
  return (
    <>
      {inviter === null ? (
        texts.describeInvitation.youWereInvited
      ) : (
        <>
          <Text span fw={500} inherit className="foreign">
            {inviter}
          </Text>{' '}
          {texts.describeInvitation.invitedYou}
        </>
      )}{' '}
      {texts.describeInvitation.toThisTeamAs(withArticle(role))}
    </>
  )
}
