import { Alert, Button, Checkbox, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconDownload, IconInfoCircle } from '@tabler/icons-react'
import { useState } from 'react'
import { saveBlob } from '../../api/save-blob.ts'
import { useSession } from '../../api/session.ts'
import { Copy } from '../../ui/copy.tsx'

/** Shows new recovery codes, once. They replace a lost app or passkey. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone(): void }) {
  const { user, installation } = useSession()
  const [isConfirmed, setIsConfirmed] = useState(false)
  const text = [
    `Sendwright recovery codes of ${user.email} at ${installation.public_url}`,
    '',
    ...codes,
    '',
  ].join('\n')
  return (
    <Stack gap="md">
      <Alert color="orange" icon={<IconInfoCircle />}>
        Save these codes somewhere other than this device. They are shown only once. Each code works for one
        login if you lose your authenticator app or passkey.
      </Alert>
      <div className="code-block">
        <SimpleGrid
          cols={2}
          spacing="xs"
          p="md"
          pr="xl"
          component="ul"
          m={0}
          className="card"
          bg="var(--app-faint)"
        >
          {codes.map((code) => (
            <Text key={code} component="li" className="code" style={{ listStyle: 'none' }}>
              {code}
            </Text>
          ))}
        </SimpleGrid>
        <div className="copy">
          <Copy text={codes.join('\n')} label="Copy codes" />
        </div>
      </div>
      <Checkbox
        label="I have saved them"
        checked={isConfirmed}
        onChange={(event) => setIsConfirmed(event.currentTarget.checked)}
      />
      <Group justify="space-between">
        <Button variant="default" leftSection={<IconDownload />} onClick={() => saveText(text)}>
          Download
        </Button>
        <Button onClick={onDone} disabled={!isConfirmed}>
          Done
        </Button>
      </Group>
    </Stack>
  )
}

const saveText = (text: string) =>
  saveBlob(new Blob([text], { type: 'text/plain' }), 'sendwright-recovery-codes.txt')
