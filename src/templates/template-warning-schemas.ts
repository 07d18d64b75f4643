import Type from 'typebox'
import { TEMPLATE_PARTS } from './render-template.ts'

export const TemplateWarnings = Type.Array(
  Type.Object({
    part: Type.Enum(TEMPLATE_PARTS),
    line: Type.Integer({ description: 'From 1.' }),
    column: Type.Integer({ description: 'From 1, in UTF-16 code units.' }),
    message: Type.String({ description: 'What works instead.' }),
  }),
  {
    title: 'TemplateWarnings',
    description: 'Text that looks like a placeholder but is not one, so it is sent unchanged.',
  },
)
