import { Anchor, Group, Skeleton, Tabs, Text, Title } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { CapturedWhole } from '../../api/records.ts'
import { useGet, useTeam } from '../../api/team.ts'
import { Link } from '../../ui/link.tsx'
import { MailFrame } from '../../ui/mail/mail-frame.tsx'
import { Moment } from '../../ui/moment.tsx'
import { ErrorNote } from '../../ui/page/error-note.tsx'
import { HeaderTable } from '../../ui/tables/header-table.tsx'
import { CapturedFiles, CapturedSource } from './captured-files.tsx'

const TABS = ['preview', 'text', 'headers', 'source', 'attachments'] as const

/** One message, as its recipient would see it. */
export function CapturedMessage({ id }: { id: string }) {
  const { data, error, refetch } = useGet<CapturedWhole>(`/captured/${id}`, { isFixed: true })
  if (error !== null) return <ErrorNote error={error} onRetry={() => void refetch()} />
  if (data === undefined)
    return (
      <>
        <Skeleton height={20} width="60%" mb="md" />
        <Skeleton height={320} />
      </>
    )
  return (
    <>
      <Head message={data} />
      <Parts message={data} />
    </>
  )
}

const show = (mailboxes: CapturedWhole['from']) =>
  mailboxes.map(({ name, address }) => (name === '' ? address : `${name} <${address}>`)).join(', ')

function Head({ message }: { message: CapturedWhole }) {
  const team = useTeam()
  const { subject, from, to, cc, reply_to, envelope_to, email_id, received_at } = message
  const lines: [label: string, text: string][] = [
    ['From', show(from)],
    ['To', show(to)],
    ['Cc', show(cc)],
    ['Reply-To', show(reply_to)],
    ['Delivered to', envelope_to],
  ]
  return (
    <>
      <Title order={2} className="foreign" mb="xs">
        {subject === null || subject === '' ? '(no subject)' : subject}
      </Title>
      <dl className="facts">
        {lines
          .filter(([, text]) => text !== '')
          .map(([label, text]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd className="foreign">{text}</dd>
            </div>
          ))}
      </dl>
      <Group gap="md" mb="md">
        <Text size="sm" c="dimmed">
          <Moment at={received_at} />
        </Text>
        {email_id !== null && (
          <Anchor component={Link} to={`/${team.id}/emails/${email_id}`} size="sm">
            View email
          </Anchor>
        )}
      </Group>
    </>
  )
}

function Parts({ message }: { message: CapturedWhole }) {
  const { tab: tabName } = useSearch({ strict: false }) as { tab?: string }
  const navigate = useNavigate()
  const images = useMemo(() => imagesOf(message), [message])
  const tab = TABS.find((name) => name === tabName) ?? (message.html === null ? 'text' : 'preview')
  const choose = (name: string | null) =>
    void navigate({
      to: '.',
      search: { tab: name ?? undefined } as never,
      replace: true,
      resetScroll: false,
    })
  return (
    <Tabs value={tab} onChange={choose} keepMounted={false}>
      <Tabs.List mb="md">
        {message.html !== null && <Tabs.Tab value="preview">Preview</Tabs.Tab>}
        <Tabs.Tab value="text">Text</Tabs.Tab>
        <Tabs.Tab value="headers">Headers</Tabs.Tab>
        <Tabs.Tab value="source">Source</Tabs.Tab>
        {message.attachments.length > 0 && (
          <Tabs.Tab value="attachments">Attachments · {message.attachments.length}</Tabs.Tab>
        )}
      </Tabs.List>
      <Tabs.Panel value="preview">
        {message.html === null ? <None /> : <MailFrame html={message.html} images={images} />}
      </Tabs.Panel>
      <Tabs.Panel value="text">{message.text === null ? <None /> : <Words text={message.text} />}</Tabs.Panel>
      <Tabs.Panel value="headers">
        <HeaderTable headers={message.headers} />
      </Tabs.Panel>
      <Tabs.Panel value="source">
        <CapturedSource message={message} />
      </Tabs.Panel>
      <Tabs.Panel value="attachments">
        <CapturedFiles message={message} />
      </Tabs.Panel>
    </Tabs>
  )
}

const SHOWN_CHARS_MAX = 256 * 1024

function Words({ text }: { text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must take the focus (WCAG 2.1.1)
    <section className="reading foreign" aria-label="Text of the message" tabIndex={0}>
      {text.slice(0, SHOWN_CHARS_MAX)}
    </section>
  )
}

function None() {
  return (
    <Text size="sm" c="dimmed">
      This message does not have this part.
    </Text>
  )
}

/** Returns data: URLs of the message's inline images. */
function imagesOf({ attachments }: CapturedWhole): Record<string, string> {
  return Object.fromEntries(
    attachments
      .filter(
        ({ content_id, content_type }) => content_id !== null && /^image\/[\w.+-]+$/i.test(content_type),
      )
      .map(({ content_id, content_type, content }) => [
        (content_id ?? '').replace(/^<|>$/g, ''),
        `data:${content_type};base64,${content}`,
      ]),
  )
}
