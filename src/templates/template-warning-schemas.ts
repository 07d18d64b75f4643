import Type from 'typebox'
import { TEMPLATE_PARTS } from './render-template.ts'

export const TemplateWarnings = Type.Array(
  Type.Object({
    part: Type.Enum(TEMPLATE_PARTS),
    line: Type.Integer(),
    column: Type.Integer(),
    message: Type.String(),
  }),
  { title: 'TemplateWarnings', description: 'What only looks like a placeholder.' },
)
