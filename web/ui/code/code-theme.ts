import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** Every colour is readable on its background (contrast of 4.5 to 1), in light and in dark. */
const COLORS = {
  tag: 'light-dark(#0b6a5d, #5cc9b5)',
  attribute: 'light-dark(#7a4d00, #e0b05c)',
  string: 'light-dark(#1560a8, #82b8f0)',
  keyword: 'light-dark(#86289a, #d79be6)',
  comment: 'light-dark(#5d6470, #969daa)',
  wrong: 'light-dark(#c02626, #ff8787)',
  variable: 'light-dark(#86289a, #e2b3ee)',
  variableGround: 'light-dark(#f6e8fa, #3a2841)',
  selection: 'light-dark(#cfe9e4, #23504a)',
  match: 'light-dark(#ffe9a8, #5a4a12)',
  matchSelected: 'light-dark(#ffcf5c, #86690b)',
  line: 'light-dark(#f3f5f699, #20232899)',
}

const look = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--app-surface)', color: 'var(--mantine-color-text)' },
  '&.cm-focused': { outline: '2px solid var(--mantine-primary-color-filled)', outlineOffset: '-2px' },
  '.cm-scroller': {
    fontFamily: 'var(--mantine-font-family-monospace)',
    fontSize: '13px',
    lineHeight: '1.6',
  },
  '.cm-content': { caretColor: 'var(--mantine-color-text)', padding: '8px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)' },
  '.cm-gutters': {
    backgroundColor: 'var(--app-surface)',
    color: 'var(--app-dimmed)',
    border: 'none',
    borderRight: '1px solid var(--app-border)',
  },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: COLORS.line },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: COLORS.selection,
  },
  '.cm-selectionMatch': { backgroundColor: COLORS.match },
  '.cm-searchMatch': { backgroundColor: COLORS.match },
  '.cm-searchMatch-selected': { backgroundColor: COLORS.matchSelected },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': { backgroundColor: COLORS.selection },
  '.cm-place': { color: COLORS.variable, backgroundColor: COLORS.variableGround, borderRadius: '3px' },
  '.cm-place *': { color: 'inherit' },
  '.cm-foldPlaceholder': {
    backgroundColor: 'var(--app-faint)',
    borderColor: 'var(--app-border)',
    color: 'var(--app-dimmed)',
  },
  '.cm-panels': { backgroundColor: 'var(--app-faint)', color: 'var(--mantine-color-text)' },
  '.cm-panels-top': { borderBottom: '1px solid var(--app-border)' },
  '.cm-panel.cm-search': { padding: '8px 36px 8px 10px', fontFamily: 'var(--mantine-font-family)' },
  '.cm-panel.cm-search label': {
    fontSize: '12.5px',
    display: 'inline-flex',
    alignItems: 'center',
    gap: '3px',
  },
  '.cm-panel.cm-search [name=close]': {
    fontSize: '20px',
    minWidth: '24px',
    minHeight: '24px',
    color: 'inherit',
  },
  '.cm-textfield': {
    backgroundColor: 'var(--app-surface)',
    borderColor: 'var(--mantine-color-default-border)',
    borderRadius: '6px',
    padding: '4px 8px',
    fontSize: '13px',
    color: 'inherit',
  },
  '.cm-button': {
    backgroundImage: 'none',
    backgroundColor: 'var(--app-surface)',
    borderColor: 'var(--mantine-color-default-border)',
    borderRadius: '6px',
    padding: '4px 8px',
    fontSize: '12.5px',
    color: 'inherit',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--app-surface)',
    color: 'var(--mantine-color-text)',
    border: '1px solid var(--app-border)',
    borderRadius: '6px',
    overflow: 'hidden',
  },
  '.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '13px' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--mantine-primary-color-filled)',
    color: '#ffffff',
  },
  '.cm-diagnostic': { fontFamily: 'var(--mantine-font-family)', fontSize: '13px' },
  '.cm-changeGutter': { width: '3px' },
  '&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText': {
    background: 'light-dark(#f7b9b9, #7c2f2f)',
  },
  '&.cm-merge-b .cm-changedText': { background: 'light-dark(#a8e0b8, #1f5c35)' },
  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk': { backgroundColor: 'light-dark(#fdeeee, #3a2022)' },
  '&.cm-merge-b .cm-changedLine': { backgroundColor: 'light-dark(#e9f7ed, #1a2f22)' },
  '.cm-collapsedLines': {
    background: 'var(--app-faint)',
    color: 'var(--app-dimmed)',
    fontFamily: 'var(--mantine-font-family)',
  },
})

const letters = HighlightStyle.define([
  { tag: [tags.tagName, tags.angleBracket], color: COLORS.tag },
  { tag: [tags.attributeName, tags.propertyName], color: COLORS.attribute },
  { tag: [tags.attributeValue, tags.string, tags.color, tags.number, tags.unit], color: COLORS.string },
  { tag: [tags.keyword, tags.character, tags.className, tags.modifier], color: COLORS.keyword },
  { tag: [tags.comment, tags.documentMeta, tags.processingInstruction], color: COLORS.comment },
  { tag: tags.invalid, color: COLORS.wrong },
])

/** The appearance of code, in the colours of the dashboard. */
export const codeTheme: Extension = [look, syntaxHighlighting(letters)]
