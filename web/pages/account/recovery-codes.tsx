import { Alert, Button, Checkbox, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconDownload, IconInfoCircle } from '@tabler/icons-react'
import { useState } from 'react'
import { saveBlob } from '../../api/save-blob.ts'
import { useSession } from '../../api/session.ts'
import { Copy } from '../../ui/copy.tsx'

/** The codes for who loses the app or the passkey; this once. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone(): void }) {
  const { user, installation } = useSession()
  const [isKept, setIsKept] = useState(false)
  const text = [
    `Sendwright recovery codes of ${user.email} at ${installation.public_url}`,
    '',
    ...codes,
    '',
  ].join('\n')
  return (
    <Stack gap="md">
      <Alert color="orange" icon={<IconInfoCircle size={18} />}>
        Keep these codes where you find them without this device. They are shown this once. Each lets you in
        one time when you have lost your authenticator app or passkey.
      </Alert>
      <div className="code-block">
        <SimpleGrid
          cols={2}
          spacing={6}
          p="md"
          pr={48}
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
          <Copy text={codes.join('\n')} label="Copy the codes" />
        </div>
      </div>
      <Checkbox
        label="I have kept them"
        checked={isKept}
        onChange={(event) => setIsKept(event.currentTarget.checked)}
      />
      <Group justify="space-between">
        <Button variant="default" leftSection={<IconDownload size={16} />} onClick={() => saveText(text)}>
          Download
        </Button>
        <Button onClick={onDone} disabled={!isKept}>
          Done
        </Button>
      </Group>
    </Stack>
  )
}

const saveText = (text: string) =>
  saveBlob(new Blob([text], { type: 'text/plain' }), 'sendwright-recovery-codes.txt')
