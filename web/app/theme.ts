import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'

/** Sea green. The sixth shade is dark enough for white text on it (WCAG 2.2, 1.4.3). */
const sea: MantineColorsTuple = [
  '#e6f7f4',
  '#cfeee8',
  '#a0ddd1',
  '#6ccbb9',
  '#43bba5',
  '#23a08b',
  '#0f7b6c',
  '#0b6a5d',
  '#08574d',
  '#05423a',
]

const DIALOG_TITLE = { fontSize: 16, fontWeight: 650 }

/** Backgrounds, borders and text of the dark scheme: slightly blue, like the surfaces of app.css. */
const dark: MantineColorsTuple = [
  '#d7dae0',
  '#b9bec8',
  '#8b919c',
  '#666c78',
  '#464b55',
  '#3a3e46',
  '#24272d',
  '#1d2025',
  '#191b1f',
  '#131417',
]

export const theme = createTheme({
  primaryColor: 'sea',
  primaryShade: { light: 6, dark: 6 },
  colors: { sea, dark },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: "'Inter Variable', Inter, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif",
  fontFamilyMonospace:
    "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace",
  headings: {
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '22px', lineHeight: '1.3' },
      h2: { fontSize: '16px', lineHeight: '1.4' },
      h3: { fontSize: '14.5px', lineHeight: '1.4' },
    },
  },
  fontSizes: { xs: '12.5px', sm: '14px', md: '15px', lg: '17px', xl: '20px' },
  components: {
    Button: { defaultProps: { size: 'sm' } },
    Tooltip: {
      defaultProps: { withArrow: true, openDelay: 250, events: { hover: true, focus: true, touch: true } },
    },
    Modal: {
      defaultProps: {
        centered: true,
        overlayProps: { backgroundOpacity: 0.4 },
        closeButtonProps: { 'aria-label': 'Close' },
        // A dialog's header is not a banner of the page.
        attributes: { header: { role: 'presentation' } },
        styles: { title: DIALOG_TITLE },
      },
    },
    Drawer: {
      defaultProps: {
        closeButtonProps: { 'aria-label': 'Close' },
        attributes: { header: { role: 'presentation' } },
        styles: { title: DIALOG_TITLE },
      },
    },
    Badge: { defaultProps: { variant: 'light', radius: 'sm', tt: 'none' } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Skeleton: { defaultProps: { radius: 'sm' } },
  },
})

/** Badges and alerts of the dark scheme: a faint background of their colour with light text. */
const DARK_TINTS = Object.fromEntries(
  Object.entries({
    green: ['#40c057', '#8ce99a'],
    red: ['#fa5252', '#ffa8a8'],
    orange: ['#fd7e14', '#ffc078'],
    yellow: ['#fab005', '#ffe066'],
    blue: ['#228be6', '#8fc7fa'],
    gray: ['#868e96', '#c3c8d0'],
    grape: ['#be4bdb', '#e5a8f2'],
    sea: ['#23a08b', '#6ccbb9'],
  }).flatMap(([color, [ground, letters]]) => [
    [`--mantine-color-${color}-light`, `${ground}2b`],
    [`--mantine-color-${color}-light-hover`, `${ground}3d`],
    [`--mantine-color-${color}-light-color`, letters],
  ]),
) as Record<string, string>

/** Dimmed text and light badges that are readable on every background of the dashboard (contrast of 4.5 to 1). */
export const resolveVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#59606b',
    '--mantine-color-placeholder': '#6b7280',
    '--mantine-color-error': '#c02626',
    '--mantine-color-body': '#ffffff',
    '--mantine-color-default-border': '#d9dce1',
    '--mantine-color-anchor': '#0b6a5d',
    '--mantine-color-green-light-color': '#1b6e34',
    '--mantine-color-red-light-color': '#b02020',
    '--mantine-color-red-outline': '#c02626',
    '--mantine-color-red-filled': '#c92a2a',
    '--mantine-color-red-filled-hover': '#b02525',
    '--mantine-color-orange-light-color': '#9a4b00',
    '--mantine-color-yellow-light-color': '#7a5300',
    '--mantine-color-blue-light-color': '#1560a8',
    '--mantine-color-gray-light-color': '#4b525c',
    '--mantine-color-grape-light-color': '#86289a',
    '--mantine-color-sea-light-color': '#0b6a5d',
  },
  dark: {
    '--mantine-color-red-filled': '#c92a2a',
    '--mantine-color-red-filled-hover': '#b02525',
    '--mantine-color-dimmed': '#9ba2ae',
    '--mantine-color-placeholder': '#8b919c',
    '--mantine-color-error': '#ff8787',
    '--mantine-color-body': '#191b1f',
    '--mantine-color-default': '#202328',
    '--mantine-color-default-border': '#3a3e46',
    '--mantine-color-anchor': '#43bba5',
    ...DARK_TINTS,
  },
})
