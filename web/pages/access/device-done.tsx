import { Anchor, Text } from '@mantine/core'
import { Link } from '../../ui/link.tsx'
import { AccessFrame } from './access-frame.tsx'

interface DeviceDoneProps {
  /** The name of the API key; null if the login was rejected. */
  keyName: string | null
  teamId: string | null
}

/** Shown after a login of the command line is confirmed or rejected. */
export function DeviceDone({ keyName, teamId }: DeviceDoneProps) {
  if (keyName === null)
    return (
      <AccessFrame title="Login rejected" description="The command line has no access.">
        <Anchor component={Link} to="/" size="sm">
          Go to the dashboard
        </Anchor>
      </AccessFrame>
    )
  return (
    <AccessFrame
      title="Login confirmed"
      description="Go back to your terminal. You can close this page."
      foot={
        <Anchor component={Link} to={`/${teamId}/api-keys`} size="sm">
          Go to the API keys
        </Anchor>
      }
    >
      <Text size="sm">
        The command line uses the API key <b className="foreign">{keyName}</b>. Revoke the key to end its
        access.
      </Text>
    </AccessFrame>
  )
}
