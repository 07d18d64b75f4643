import { Anchor, Text } from '@mantine/core'
import { Link } from '../../ui/link.tsx'
import { AccessFrame } from './access-frame.tsx'
import { texts } from './texts.ts'

interface DeviceDoneProps {
  /** The name of the API key; null if the login was rejected. */
  keyName: string | null
  teamId: string | null
}

/** Shown after a login of the command line is confirmed or rejected. */
export function DeviceDone({ keyName, teamId }: DeviceDoneProps) {
  if (keyName === null)
    return (
      <AccessFrame title={texts.deviceDone.loginRejected} description={texts.deviceDone.commandLineNoAccess}>
        <Anchor component={Link} to="/" size="sm">
          {texts.deviceDone.goToTheDashboard}
        </Anchor>
      </AccessFrame>
    )
  return (
    <AccessFrame
      title={texts.deviceDone.loginConfirmed}
      description={texts.deviceDone.goBackTerminalClose}
      foot={
        <Anchor component={Link} to={`/${teamId}/api-keys`} size="sm">
          {texts.deviceDone.goApiKeys}
        </Anchor>
      }
    >
      <Text size="sm">
        {texts.deviceDone.commandLineUsesApi} <b className="foreign">{keyName}</b>
        {texts.deviceDone.revokeKeyEndAccess}
      </Text>
    </AccessFrame>
  )
}
