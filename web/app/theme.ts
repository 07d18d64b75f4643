import { type CSSVariablesResolver, createTheme, type MantineColorsTuple, rem } from '@mantine/core'

/**
 * The look of the dashboard: ink, paper, and one signal colour. All colours, sizes and fonts are defined here, as
 * custom properties that styles use (`--app-*`) and as the theme of the component library. Pages have none of their
 * own (test/house.test.ts).
 */

/** One palette: grounds from back to front, then lines, then text, then signals. */
interface Palette {
  /** Behind the sidebar. */
  canvas: string
  /** Behind the content, fields and menus. */
  surface: string
  /** Behind code, tags, and what the pointer is over. */
  faint: string
  /** Behind what is chosen. */
  chosen: string
  border: string
  /** Around fields and buttons, where the line shows what can be used. */
  'border-strong': string
  text: string
  dimmed: string
  placeholder: string
  accent: string
  'accent-hover': string
  /** The accent as text or line on the surface. */
  signal: string
  danger: string
  /** The dots of states, and the edges of alerts. */
  blue: string
  green: string
  amber: string
  red: string
  violet: string
  gray: string
  /** Behind removed and added text in comparisons. */
  removed: string
  'removed-text': string
  added: string
  'added-text': string
  /** Code. */
  'code-tag': string
  'code-attribute': string
  'code-string': string
  'code-keyword': string
  'code-variable-ground': string
  'code-selection': string
  'code-match': string
  'code-match-chosen': string
}

const LIGHT: Palette = {
  canvas: '#fafaf9',
  surface: '#ffffff',
  faint: '#f5f5f4',
  chosen: '#efedeb',
  border: '#e7e5e4',
  'border-strong': '#d6d3d1',
  text: '#1c1917',
  dimmed: '#57534e',
  placeholder: '#78716c',
  accent: '#0b6e5f',
  'accent-hover': '#095a4e',
  signal: '#0b6e5f',
  danger: '#b91c1c',
  blue: '#2563eb',
  green: '#15803d',
  amber: '#c2710c',
  red: '#dc2626',
  violet: '#7c3aed',
  gray: '#a8a29e',
  removed: '#fdf0ef',
  'removed-text': '#f7bfba',
  added: '#eaf6ef',
  'added-text': '#a9dfbd',
  'code-tag': '#0b6e5f',
  'code-attribute': '#854d0e',
  'code-string': '#1d4ed8',
  'code-keyword': '#7e22ce',
  'code-variable-ground': '#f4ebfd',
  'code-selection': '#cfe7e2',
  'code-match': '#fdeaae',
  'code-match-chosen': '#fbcf5f',
}

const DARK: Palette = {
  canvas: '#0b0c0e',
  surface: '#121316',
  faint: '#1a1c20',
  chosen: '#212429',
  border: '#23252a',
  'border-strong': '#33363d',
  text: '#ecedee',
  dimmed: '#a3a7af',
  placeholder: '#858a94',
  accent: '#0b6e5f',
  'accent-hover': '#0e8271',
  signal: '#4bbfa9',
  danger: '#f98080',
  blue: '#5b9df9',
  green: '#35b873',
  amber: '#e0a03a',
  red: '#ef6a6a',
  violet: '#a78bfa',
  gray: '#71767f',
  removed: '#2c1a1b',
  'removed-text': '#72302f',
  added: '#14261c',
  'added-text': '#1f5a37',
  'code-tag': '#5ecbb6',
  'code-attribute': '#e0b05c',
  'code-string': '#8ab8f5',
  'code-keyword': '#d0a2f2',
  'code-variable-ground': '#2c213a',
  'code-selection': '#1d4a44',
  'code-match': '#54450f',
  'code-match-chosen': '#80640a',
}

/** The five sizes of text: notes, body, titles of sections, titles of pages, key figures. */
const BODY_SIZE = rem(14)
const SIZES = { xs: rem(12), sm: rem(13), md: BODY_SIZE, lg: rem(18), xl: rem(28) }
const WEIGHTS = { regular: '400', medium: '500', strong: '600' }
const SANS = "'Inter Variable', system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif"
const MONO =
  "'JetBrains Mono Variable', ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace"

/** The accent in ten shades. White text is readable on the last five (WCAG 2.2, 1.4.3). */
const sea: MantineColorsTuple = [
  '#e8f5f2',
  '#cfe9e3',
  '#9fd3c7',
  '#6bbaa9',
  '#3f9f8c',
  '#1f8573',
  '#0b6e5f',
  '#095a4e',
  '#07483e',
  '#05362f',
]

/** Text and grounds of the dark scheme, which the component library derives its own colours from. */
const dark: MantineColorsTuple = [
  DARK.text,
  '#c9ccd1',
  DARK.dimmed,
  DARK.placeholder,
  DARK['border-strong'],
  DARK['border-strong'],
  DARK.faint,
  DARK.surface,
  '#0f1013',
  DARK.canvas,
]

const gray: MantineColorsTuple = [
  LIGHT.canvas,
  LIGHT.faint,
  LIGHT.border,
  LIGHT['border-strong'],
  LIGHT['border-strong'],
  LIGHT.placeholder,
  LIGHT.dimmed,
  '#44403c',
  '#292524',
  LIGHT.text,
]

const OVERLAY = {
  closeButtonProps: { 'aria-label': 'Close' },
  // A dialog's header is not a banner of the page.
  attributes: { header: { role: 'presentation' } },
  styles: { title: { fontSize: BODY_SIZE, fontWeight: WEIGHTS.strong } },
}

export const theme = createTheme({
  primaryColor: 'sea',
  primaryShade: { light: 6, dark: 6 },
  black: LIGHT.text,
  colors: { sea, dark, gray },
  defaultRadius: 'md',
  radius: { xs: rem(3), sm: rem(4), md: rem(6), lg: rem(8), xl: rem(16) },
  spacing: { hair: rem(2), xxs: rem(4), xs: rem(8), sm: rem(12), md: rem(16), lg: rem(24), xl: rem(32) },
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: SANS,
  fontFamilyMonospace: MONO,
  fontSizes: SIZES,
  lineHeights: { xs: '1.45', sm: '1.5', md: '1.5', lg: '1.4', xl: '1.2' },
  headings: {
    fontWeight: WEIGHTS.strong,
    sizes: {
      h1: { fontSize: SIZES.xl, lineHeight: '1.2' },
      h2: { fontSize: BODY_SIZE, lineHeight: '1.45' },
      h3: { fontSize: SIZES.sm, lineHeight: '1.5' },
    },
  },
  components: {
    Button: {
      defaultProps: { size: 'xs' },
      vars: (_theme: unknown, { size }: { size?: string }) => ({
        root:
          size === 'xs'
            ? { '--button-height': rem(32), '--button-fz': SIZES.sm, '--button-padding-x': rem(12) }
            : {},
      }),
    },
    Tooltip: {
      defaultProps: { openDelay: 250, events: { hover: true, focus: true, touch: true } },
    },
    Modal: { defaultProps: { centered: true, overlayProps: { backgroundOpacity: 0.4 }, ...OVERLAY } },
    Drawer: { defaultProps: OVERLAY },
    Alert: { defaultProps: { variant: 'light' } },
    Anchor: { defaultProps: { underline: 'hover' } },
    Badge: { defaultProps: { variant: 'default', radius: 'sm', tt: 'none' } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    NavLink: { defaultProps: { color: 'gray' } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Skeleton: { defaultProps: { radius: 'sm' } },
  },
})

/** The shades of the library's own colours in which text is readable on each ground (contrast of 4.5 to 1). */
const readable = (palette: Palette, scheme: 'light' | 'dark'): Record<string, string> => {
  const letters = {
    green: { light: '#166534', dark: '#86efac' },
    red: { light: '#b91c1c', dark: '#fca5a5' },
    orange: { light: '#92500a', dark: '#fcd34d' },
    yellow: { light: '#92500a', dark: '#fcd34d' },
    blue: { light: '#1d4ed8', dark: '#93c5fd' },
    grape: { light: '#6d28d9', dark: '#c4b5fd' },
    gray: { light: palette.dimmed, dark: palette.dimmed },
    sea: { light: palette.signal, dark: palette.signal },
  }
  return Object.fromEntries(
    Object.entries(letters).flatMap(([color, { [scheme]: shade }]) => [
      [`--mantine-color-${color}-light`, palette.faint],
      [`--mantine-color-${color}-light-hover`, palette.chosen],
      [`--mantine-color-${color}-light-color`, shade],
    ]),
  )
}

const variablesOf = (palette: Palette, scheme: 'light' | 'dark'): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(palette).map(([name, value]) => [`--app-${name}`, value])),
  ...readable(palette, scheme),
  '--mantine-color-body': palette.surface,
  '--mantine-color-text': palette.text,
  '--mantine-color-dimmed': palette.dimmed,
  '--mantine-color-placeholder': palette.placeholder,
  '--mantine-color-error': palette.danger,
  '--mantine-color-anchor': palette.text,
  '--mantine-color-default': palette.surface,
  '--mantine-color-default-hover': palette.faint,
  '--mantine-color-default-color': palette.text,
  '--mantine-color-default-border': palette['border-strong'],
  '--mantine-color-red-outline': palette.danger,
  '--mantine-color-red-filled': '#c02626',
  '--mantine-color-red-filled-hover': '#a31f1f',
  '--mantine-primary-color-filled': palette.accent,
  '--mantine-primary-color-filled-hover': palette['accent-hover'],
})

export const resolveVariables: CSSVariablesResolver = () => ({
  variables: {
    '--app-size-note': SIZES.xs,
    '--app-size-text': SIZES.sm,
    '--app-size-body': BODY_SIZE,
    '--app-size-title': SIZES.lg,
    '--app-size-page': SIZES.xl,
    '--app-weight-regular': WEIGHTS.regular,
    '--app-weight-medium': WEIGHTS.medium,
    '--app-weight-strong': WEIGHTS.strong,
    '--app-width-sidebar': rem(216),
    '--app-width-content': rem(1120),
    '--app-width-text': rem(720),
    '--app-width-panel': rem(400),
    '--app-row': rem(38),
    '--app-radius': rem(8),
    '--app-mono': MONO,
  },
  light: variablesOf(LIGHT, 'light'),
  dark: variablesOf(DARK, 'dark'),
})
