import './emails.css'
import { Alert, Tabs, Text } from '@mantine/core'
import { IconFileOff } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { EmailWhole } from '../../api/records.ts'
import { CodeBlock } from '../../ui/copy.tsx'
import { Section } from '../../ui/page/section.tsx'
import { Attachments } from './attachments.tsx'
import { EmailPreview } from './email-preview.tsx'
import { Headers, Source } from './source.tsx'

const TABS = ['preview', 'text', 'html', 'headers', 'source', 'attachments'] as const
type Tab = (typeof TABS)[number]

/** The content of the email, in tabs. The page's address names the open tab. */
export function Content({ email }: { email: EmailWhole }) {
  const { tab: wanted } = useSearch({ strict: false }) as { tab?: string }
  const navigate = useNavigate()
  if (email.content_expired) return <Expired />
  const tab = TABS.find((name) => name === wanted) ?? (email.html === null ? 'text' : 'preview')
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
