import { expect, test } from 'vitest'
import { ApiError } from '../../api/errors.ts'
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

test('the same until any field differs', () => {
  expect(isSameDraft(DRAFT, { ...DRAFT, variables: DRAFT.variables.map((each) => ({ ...each })) })).toBe(true)
  expect(isSameDraft(DRAFT, { ...DRAFT, text: 'x' })).toBe(false)
  expect(isSameDraft(DRAFT, { ...DRAFT, variables: [] })).toBe(false)
})

test('saved with null for what is empty, and an empty fallback as one', () => {
  expect(draftToJson(DRAFT)).toMatchObject({
    alias: null,
    reply_to: null,
    variables: [
      { key: 'A', fallback_value: '' },
      { key: '', fallback_value: null },
    ],
  })
})

test('previewed without variables that have no name, and values that are empty', () => {
  expect(previewToJson(DRAFT, { A: '', B: 'b' })).toMatchObject({
    variables: { B: 'b' },
    variable_definitions: [{ key: 'A' }],
  })
})

test('sent from a name that is quoted', () => {
  expect(mailboxOf({ name: 'A "B" \\ C', email: 'a@x.test' })).toBe('"A \\"B\\" \\\\ C" <a@x.test>')
})

test('refused in words that stand beside what they are about', () => {
  const apiError = (field: string) => new ApiError(422, { errors: { [field]: ['No.'] } })
  expect(errorsOfSaving(apiError('variables.0.key'))).toEqual({ 'definitions.0.key': 'No.' })
  expect(errorsOfPreview(apiError('variables.NAME'))).toEqual({ 'values.NAME': 'No.' })
  expect(errorsOfPreview(apiError('variable_definitions.0.key'))).toEqual({ 'definitions.0.key': 'No.' })
  expect(errorsOfPreview(new Error('other'))).toEqual({})
})
