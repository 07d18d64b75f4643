import { expect, test } from 'vitest'
import { ApiError } from '../../../api/errors.ts'
import { type Draft, draftToJson, isSameDraft, mailboxOf, previewToJson } from './draft.ts'
import { errorsOfPreview, errorsOfSaving } from './field-errors.ts'

const DRAFT: Draft = {
  name: 'Receipt',
  alias: '',
  subject: 'Hello {{A}}',
  html: '<p>{{A}}</p>',
  text: '',
  senderId: 's',
  replyTo: '',
  variables: [
    { key: 'A', type: 'string', fallback: '' },
    { key: '', type: 'number', fallback: null },
  ],
}

test('two drafts are the same until a field differs', () => {
  expect(isSameDraft(DRAFT, { ...DRAFT, variables: DRAFT.variables.map((each) => ({ ...each })) })).toBe(true)
  expect(isSameDraft(DRAFT, { ...DRAFT, text: 'x' })).toBe(false)
  expect(isSameDraft(DRAFT, { ...DRAFT, variables: [] })).toBe(false)
})

test('a draft is saved with null for empty fields, but an empty fallback stays empty', () => {
  expect(draftToJson(DRAFT)).toMatchObject({
    alias: null,
    reply_to: null,
    variables: [
      { key: 'A', fallback_value: '' },
      { key: '', fallback_value: null },
    ],
  })
})

test('a preview omits variables without a name and empty values', () => {
  expect(previewToJson(DRAFT, { A: '', B: 'b' })).toMatchObject({
    variables: { B: 'b' },
    variable_definitions: [{ key: 'A' }],
  })
})

test('the display name of the sender is quoted', () => {
  expect(mailboxOf({ name: 'A "B" \\ C', email: 'a@x.test' })).toBe('"A \\"B\\" \\\\ C" <a@x.test>')
})

test('errors are assigned to the fields of the editor', () => {
  const apiError = (field: string) => new ApiError(422, { errors: { [field]: ['No.'] } })
  expect(errorsOfSaving(apiError('variables.0.key'))).toEqual({ 'definitions.0.key': 'No.' })
  expect(errorsOfPreview(apiError('variables.NAME'))).toEqual({ 'values.NAME': 'No.' })
  expect(errorsOfPreview(apiError('variable_definitions.0.key'))).toEqual({ 'definitions.0.key': 'No.' })
  expect(errorsOfPreview(new Error('other'))).toEqual({})
})
