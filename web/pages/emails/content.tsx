import './emails.css'
import { ActionIcon, Alert, Badge, Group, Tabs, Text } from '@mantine/core'
import { IconDownload, IconFileOff, IconPaperclip } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { fixedKeyOf } from '../../api/query-keys.ts'
import type { EmailWhole } from '../../api/records.ts'
import { saveFile, sendRequest } from '../../api/request.ts'
import { useTeam } from '../../api/team.ts'
import { showBytes } from '../../ui/bytes.ts'
import { CodeBlock } from '../../ui/copy.tsx'
import { MailFrame } from '../../ui/mail/mail-frame.tsx'
import { notifyError } from '../../ui/notifications.tsx'
import { Section } from '../../ui/page/section.tsx'
import { Headers, Source } from './source.tsx'

const TABS = ['preview', 'text', 'html', 'headers', 'source', 'attachments'] as const
type Tab = (typeof TABS)[number]

/** The content of the email, in tabs. The page's address names the open tab. */
export function Content({ email }: { email: EmailWhole }) {
  const { tab: tabName } = useSearch({ strict: false }) as { tab?: string }
  const navigate = useNavigate()
  if (email.content_expired) return <Expired />
  const tab = TABS.find((name) => name === tabName) ?? (email.html === null ? 'text' : 'preview')
  const choose = (name: string | null) =>
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, tab: name ?? undefined }) as never,
      replace: true,
      resetScroll: false,
    })
  return (
    <Section title="Content">
      <Tabs value={tab} onChange={choose} keepMounted={false}>
        <Tabs.List mb="md">
          {email.html !== null && <Tabs.Tab value="preview">Preview</Tabs.Tab>}
          <Tabs.Tab value="text">Text</Tabs.Tab>
          {email.html !== null && <Tabs.Tab value="html">HTML</Tabs.Tab>}
          <Tabs.Tab value="headers">Headers</Tabs.Tab>
          <Tabs.Tab value="source">Source</Tabs.Tab>
          {email.attachments.length > 0 && (
            <Tabs.Tab value="attachments">Attachments · {email.attachments.length}</Tabs.Tab>
          )}
        </Tabs.List>
        {TABS.map((name) => (
          <Tabs.Panel key={name} value={name}>
            <Panel tab={name} email={email} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Section>
  )
}

function Panel({ tab, email }: { tab: Tab; email: EmailWhole }) {
  switch (tab) {
    case 'preview':
      return email.html === null ? <Nothing what="html" /> : <EmailPreview email={email} html={email.html} />
    case 'text':
      return email.text === null ? <Nothing what="text" /> : <PlainText text={email.text} />
    case 'html':
      return email.html === null ? <Nothing what="html" /> : <HtmlSource html={email.html} />
    case 'headers':
      return <Headers emailId={email.id} />
    case 'source':
      return <Source emailId={email.id} />
    case 'attachments':
      return <Attachments email={email} />
  }
}

/** How much of the text is shown. The message, which can be downloaded, has all of it. */
const SHOWN_CHARS_MAX = 256 * 1024

function HtmlSource({ html }: { html: string }) {
  return (
    <>
      {html.length > SHOWN_CHARS_MAX && (
        <Text size="sm" c="dimmed" mb="xs">
          The first 256 KB. Download the whole message under Source.
        </Text>
      )}
      <CodeBlock text={html.slice(0, SHOWN_CHARS_MAX)} label="Copy HTML" />
    </>
  )
}

function PlainText({ text }: { text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must take the focus (WCAG 2.1.1)
    <section className="reading foreign" aria-label="Text of the email" tabIndex={0}>
      {text.slice(0, SHOWN_CHARS_MAX)}
    </section>
  )
}

function Nothing({ what }: { what: string }) {
  return (
    <Text size="sm" c="dimmed">
      This email has no {what} part.
    </Text>
  )
}

function Expired() {
  return (
    <Section title="Content">
      <Alert color="gray" icon={<IconFileOff />} title="The content is no longer available">
        It was erased, or the retention period has passed. The delivery history above is still available.
      </Alert>
    </Section>
  )
}

/** The attachments of an email. They can only be downloaded, never opened here. */
function Attachments({ email }: { email: EmailWhole }) {
  const team = useTeam()
  const save = (index: number, name: string) =>
    void saveFile(`/emails/${email.id}/attachments/${index}`, { teamId: team.id }, name).catch(notifyError)
  return (
    <ul className="files" aria-label="Attachments">
      {email.attachments.map(({ filename, content_type, content_id, size }, index) => (
        <Group component="li" key={`${String(index)} ${filename}`} wrap="nowrap" gap="sm" py="xs">
          <IconPaperclip aria-hidden style={{ flex: 'none' }} />
          <div style={{ flex: 1, minWidth: 0 }}>
            <Text size="sm" fw={500} className="foreign">
              {filename}
            </Text>
            <Text size="xs" c="dimmed" className="foreign">
              {content_type} · {showBytes(size)}
            </Text>
          </div>
          {content_id !== null && <Badge>inline</Badge>}
          <ActionIcon onClick={() => save(index, filename)} aria-label={`Download ${filename}`}>
            <IconDownload />
          </ActionIcon>
        </Group>
      ))}
    </ul>
  )
}

/** Limits on the inline images of one email, so that the preview stays fast. */
const INLINE_COUNT_MAX = 20
const INLINE_BYTES_MAX = 5 * 1024 * 1024

/** The HTML of the email with its inline images. */
function EmailPreview({ email, html }: { email: EmailWhole; html: string }) {
  return <MailFrame html={html} images={useInlineImages(email, html)} />
}

/** Returns data: URLs of the inline images, by Content-ID. */
function useInlineImages({ id, attachments }: EmailWhole, html: string): Record<string, string> {
  const team = useTeam()
  const inlineImages = attachments
    .map((attachment, index) => ({ ...attachment, index }))
    .filter(({ content_id, size }) => content_id !== null && size <= INLINE_BYTES_MAX)
    .slice(0, INLINE_COUNT_MAX)
  const { data } = useQuery({
    queryKey: [...fixedKeyOf(team.id, `/emails/${id}/attachments`), 'inline'],
    enabled: inlineImages.length > 0 && /cid:/i.test(html),
    // Sent content never changes.
    staleTime: Number.POSITIVE_INFINITY,
    async queryFn({ signal }) {
      const images: Record<string, string> = {}
      for (const { index, content_id, content_type } of inlineImages) {
        const answer = await sendRequest(`/emails/${id}/attachments/${index}`, { teamId: team.id, signal })
        images[content_id ?? ''] = await toDataUrl(await answer.arrayBuffer(), content_type)
      }
      return images
    },
  })
  return data ?? NONE
}

const NONE: Record<string, string> = {}

/** Returns a data: URL. Content that does not claim to be an image gets a type that browsers do not render. */
function toDataUrl(bytes: ArrayBuffer, contentType: string): Promise<string> {
  const type = /^image\/[\w.+-]+/i.exec(contentType)?.[0] ?? 'application/octet-stream'
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error ?? new Error('The image could not be read.'))
    reader.readAsDataURL(new Blob([bytes], { type }))
  })
}
