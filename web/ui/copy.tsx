import { ActionIcon, Group, Text, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { copyText } from './clipboard.ts'
import { tellError } from './notices.tsx'

const SAID_MS = 1_500

/** Puts a text on the clipboard, and says so. */
export function Copy({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = window.setTimeout(() => setCopied(false), SAID_MS)
    return () => window.clearTimeout(timer)
  }, [isCopied])
  const copy = () => void copyText(text).then(() => setCopied(true), tellError)
  return (
    <Tooltip label={isCopied ? 'Copied' : label}>
      <ActionIcon onClick={copy} aria-label={isCopied ? 'Copied' : label} size="sm" className="above">
        {isCopied ? <IconCheck size={15} /> : <IconCopy size={15} />}
      </ActionIcon>
    </Tooltip>
  )
}

/** A value in a line, to read and to copy: ids, DNS names. */
export function CopyValue({ text, label }: { text: string; label?: string }) {
  return (
    <Group gap={4} wrap="nowrap" style={{ minWidth: 0 }}>
      <Text className="code foreign" span style={{ minWidth: 0 }}>
        {text}
      </Text>
      <Copy text={text} {...(label === undefined ? {} : { label })} />
    </Group>
  )
}

/** A piece of code to copy. */
export function CodeBlock({ text, label = 'Copy' }: { text: string; label?: string }) {
  return (
    <div className="code-block">
      {/* Its end may lie out of sight: the keyboard scrolls it too. */}
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
