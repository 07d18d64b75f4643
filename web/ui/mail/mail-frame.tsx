import { Box, Group, SegmentedControl, Text, VisuallyHidden } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import {
  IconDeviceDesktop,
  IconDeviceMobile,
  IconDeviceTablet,
  IconMoon,
  IconPhotoOff,
  IconSun,
} from '@tabler/icons-react'
import { type ReactNode, useMemo, useState } from 'react'
import { plural } from '../plural.ts'
import { type Ground, prepareMailHtml } from './mail-html.ts'

interface MailFrameProps {
  /** Untrusted HTML: the frame runs no scripts and loads nothing. */
  html: string
  /** data: URLs by Content-ID, for inline images of the email. */
  images?: Readonly<Record<string, string>>
  /** The accessible name of the frame. */
  title?: string
  /** CSS height of the frame. */
  height?: string
  /** Shown next to the switches. */
  children?: ReactNode
}

const WIDTHS = [
  { value: 'phone', label: 'Phone', widthPx: 375, icon: IconDeviceMobile },
  { value: 'tablet', label: 'Tablet', widthPx: 768, icon: IconDeviceTablet },
  { value: 'desktop', label: 'Desktop', widthPx: 1024, icon: IconDeviceDesktop },
] as const
const GROUNDS = [
  { value: 'light', label: 'Light', color: '#ffffff', icon: IconSun },
  { value: 'dark', label: 'Dark', color: '#1c1c1e', icon: IconMoon },
] as const
type Width = (typeof WIDTHS)[number]['value']

const NO_IMAGES = {}

/** Previews an email at the width of a phone, tablet or desktop, on a light or dark background. */
export function MailFrame({
  html,
  images = NO_IMAGES,
  title = 'Preview of the email',
  height = 'min(68vh, 720px)',
  children,
}: MailFrameProps) {
  const [chosenWidth, setWidth] = useState<Width | null>(null)
  const [ground, setGround] = useState<Ground>('light')
  const { ref, width: roomPx } = useElementSize()
  const mail = useMemo(() => prepareMailHtml(html, images, ground), [html, images, ground])
  const width = chosenWidth ?? (roomPx > 0 && roomPx < 600 ? 'phone' : 'desktop')
  return (
    <Box>
      <Group justify="space-between" gap="xs" mb="xs">
        <Group gap="xs">
          <Choice<Width> label="Width" options={WIDTHS} value={width} onChange={setWidth} />
          <Choice<Ground> label="Background" options={GROUNDS} value={ground} onChange={setGround} />
        </Group>
        {children}
      </Group>
      {mail.ground !== ground && (
        <Text size="sm" c="dimmed" mb="xs">
          The email sets colours but does not declare dark mode support. Some mail clients show it unchanged;
          others invert its colours.
        </Text>
      )}
      {mail.isCut && (
        <Text size="sm" c="dimmed" mb="xs">
          This email is long. The preview shows the first 256 KB of its HTML.
        </Text>
      )}
      {mail.blockedCount > 0 && <Blocked count={mail.blockedCount} />}
      <Box ref={ref} className="mail-ground" style={{ height }}>
        <Sheet width={width} ground={mail.ground} roomPx={roomPx} title={title} html={mail.html} />
      </Box>
    </Box>
  )
}

interface SheetProps {
  width: Width
  ground: Ground
  roomPx: number
  title: string
  html: string
}

/** The frame, scaled down when it is wider than the space. */
function Sheet({ width, ground, roomPx, title, html }: SheetProps) {
  const wantedPx = WIDTHS.find(({ value }) => value === width)?.widthPx ?? 0
  const sheetPx = width === 'desktop' ? Math.max(roomPx, wantedPx) : wantedPx
  const scale = roomPx === 0 ? 1 : Math.min(1, roomPx / sheetPx)
  return (
    <iframe
      title={title}
      sandbox=""
      referrerPolicy="no-referrer"
      srcDoc={html}
      style={{
        width: sheetPx,
        height: `${100 / scale}%`,
        transform: scale === 1 ? 'none' : `scale(${scale})`,
        transformOrigin: '0 0',
        marginLeft: Math.max(0, (roomPx - sheetPx) / 2),
        colorScheme: ground,
        background: GROUNDS.find(({ value }) => value === ground)?.color,
        border: 0,
        display: 'block',
      }}
    />
  )
}

function Blocked({ count }: { count: number }) {
  return (
    <Group gap="xs" mb="xs" c="dimmed" wrap="nowrap">
      <IconPhotoOff aria-hidden style={{ flex: 'none' }} />
      <Text size="sm">
        {plural(
          count,
          '1 remote image blocked to protect privacy.',
          `${count} remote images blocked to protect privacy.`,
        )}
      </Text>
    </Group>
  )
}

interface ChoiceProps<V extends string> {
  label: string
  options: readonly { value: V; label: string; icon: typeof IconSun }[]
  value: V
  onChange(value: V): void
}

function Choice<V extends string>({ label, options, value, onChange }: ChoiceProps<V>) {
  return (
    <SegmentedControl
      size="xs"
      aria-label={label}
      value={value}
      onChange={(next) => onChange(next as V)}
      data={options.map(({ value: each, label: word, icon: Glyph }) => ({
        value: each,
        label: (
          <Group gap="xxs" wrap="nowrap" px="hair">
            <Glyph aria-hidden />
            <Text size="xs" span visibleFrom="sm">
              {word}
            </Text>
            <VisuallyHidden hiddenFrom="sm">{word}</VisuallyHidden>
          </Group>
        ),
      }))}
    />
  )
}
