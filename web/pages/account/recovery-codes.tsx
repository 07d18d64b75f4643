import { Alert, Button, Checkbox, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconDownload, IconInfoCircle } from '@tabler/icons-react'
import { useState } from 'react'
import { saveBlob } from '../../api/save-blob.ts'
import { useSession } from '../../api/session.ts'
import { Copy } from '../../ui/copy.tsx'
import { texts } from './texts.ts'

/** Shows new recovery codes, once. They replace a lost app or passkey. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone(): void }) {
  const { user, installation } = useSession()
  const [isConfirmed, setIsConfirmed] = useState(false)
  const text = [
    texts.recoveryCodes.sendwrightRecoveryCodes(user.email, installation.public_url),
    '',
    ...codes,
    '',
  ].join('\n')
  return (
    <Stack gap="md">
      <Alert color="orange" icon={<IconInfoCircle />}>
        {texts.recoveryCodes.saveCodesSomewhereOther}
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
          <Copy text={codes.join('\n')} label={texts.recoveryCodes.copyTheCodes} />
        </div>
      </div>
      <Checkbox
        label={texts.recoveryCodes.iHaveSavedThem}
        checked={isConfirmed}
        onChange={(event) => setIsConfirmed(event.currentTarget.checked)}
      />
      <Group justify="space-between">
        <Button variant="default" leftSection={<IconDownload />} onClick={() => saveText(text)}>
          {texts.recoveryCodes.download}
        </Button>
        <Button onClick={onDone} disabled={!isConfirmed}>
          {texts.recoveryCodes.done}
        </Button>
      </Group>
    </Stack>
  )
}

const saveText = (text: string) =>
  saveBlob(new Blob([text], { type: 'text/plain' }), 'sendwright-recovery-codes.txt')
