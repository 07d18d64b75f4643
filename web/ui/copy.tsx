import { ActionIcon, Group, Text, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { copyText } from './clipboard.ts'
import { notifyError } from './notifications.tsx'

const COPIED_MS = 1_500

/** Copies the text to the clipboard, and shows that it did. */
export function Copy({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = window.setTimeout(() => setCopied(false), COPIED_MS)
    return () => window.clearTimeout(timer)
  }, [isCopied])
  const copy = () => void copyText(text).then(() => setCopied(true), notifyError)
  return (
    <Tooltip label={isCopied ? 'Copied' : label}>
      <ActionIcon onClick={copy} aria-label={isCopied ? 'Copied' : label} size="sm" className="above">
        {isCopied ? <IconCheck /> : <IconCopy />}
      </ActionIcon>
    </Tooltip>
  )
}

/** A value with a copy button, such as an id or a DNS name. */
export function CopyValue({ text, label }: { text: string; label?: string }) {
  return (
    <Group gap="xxs" wrap="nowrap" style={{ minWidth: 0 }}>
      <Text className="code foreign" span style={{ minWidth: 0 }}>
        {text}
      </Text>
      <Copy text={text} {...(label === undefined ? {} : { label })} />
    </Group>
  )
}

/** A block of code with a copy button. */
export function CodeBlock({ text, label = 'Copy' }: { text: string; label?: string }) {
  return (
    <div className="code-block">
      {/* The block scrolls, so it must be reachable by keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must take the focus (WCAG 2.1.1) */}
      <pre className="code" tabIndex={0}>
        {text}
      </pre>
      <div className="copy">
        <Copy text={text} label={label} />
      </div>
    </div>
  )
}
