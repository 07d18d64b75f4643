import { Button, Group, Skeleton, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { fixedKeyOf } from '../../api/query-keys.ts'
import { saveFile, sendRequest } from '../../api/request.ts'
import { useTeam } from '../../api/team.ts'
import { notifyError } from '../../ui/notifications.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { HeaderTable } from '../../ui/tables/header-table.tsx'

/** How much of a message is shown. The download has all of it. */
const SHOWN_BYTES_MAX = 256 * 1024

interface Beginning {
  text: string
  isCut: boolean
}

/** The message as it was sent, with its signature. */
export function Source({ emailId }: { emailId: string }) {
  const { data, error, refetch } = useBeginning(emailId)
  if (error !== null) return <ErrorNote error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton height={300} />
  return (
    <>
      <Group justify="space-between" mb="xs" gap="xs">
        <Text size="sm" c="dimmed">
          {data.isCut ? 'The first 256 KB of the message as sent.' : 'The message as sent.'}
        </Text>
        <Download emailId={emailId} />
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must take the focus (WCAG 2.1.1) */}
      <pre className="source code foreign" tabIndex={0}>
        {data.text}
      </pre>
    </>
  )
}

/** The header fields of the message as it was sent, in order. */
export function Headers({ emailId }: { emailId: string }) {
  const { data, error, refetch } = useBeginning(emailId)
  if (error !== null) return <ErrorNote error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton height={300} />
  return <HeaderTable headers={readHeader(data.text)} />
}

function Download({ emailId }: { emailId: string }) {
  const team = useTeam()
  const save = () =>
    void saveFile(`/emails/${emailId}/raw`, { teamId: team.id }, `${emailId}.eml`).catch(notifyError)
  return (
    <Button variant="default" size="compact-sm" leftSection={<IconDownload />} onClick={save}>
      Download
    </Button>
  )
}

function useBeginning(emailId: string) {
  const team = useTeam()
  return useQuery({
    queryKey: [...fixedKeyOf(team.id, `/emails/${emailId}/raw`), SHOWN_BYTES_MAX],
    // Sent content never changes.
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const answer = await sendRequest(`/emails/${emailId}/raw`, { teamId: team.id, signal })
      return readBeginning(answer)
    },
  })
}

/** Reads only as much of the response as is shown. */
async function readBeginning({ body }: Response): Promise<Beginning> {
  if (body === null) return { text: '', isCut: false }
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return { text: text + decoder.decode(), isCut: false }
    const room = SHOWN_BYTES_MAX - bytes
    text += decoder.decode(value.subarray(0, room), { stream: true })
    bytes += value.length
    if (bytes > SHOWN_BYTES_MAX) {
      void reader.cancel()
      return { text, isCut: true }
    }
  }
}

function readHeader(source: string): { name: string; value: string }[] {
  const end = source.search(/\r?\n\r?\n/)
  const lines = (end < 0 ? source : source.slice(0, end)).replace(/\r?\n(?=[ \t])/g, '').split(/\r?\n/)
  return lines.map((line) => {
    const colon = line.indexOf(':')
    return { name: line.slice(0, colon), value: line.slice(colon + 1).trim() }
  })
}
