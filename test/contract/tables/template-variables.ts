import { expect } from 'vitest'
import { readApiDocument } from '../../support/api-document.ts'
import { proof, type Section } from '../row.ts'

interface Described {
  responses: Record<string, { content: Record<string, { schema: VariablesSchema }> }>
}
interface VariablesSchema {
  properties: { variables: { items: { required: string[] } } }
}

export const templateVariableSections: readonly Section[] = [
  {
    heading: 'templates: variables',
    rows: [
      proof('TPL-7', 'null without one, in every answer that has variables', async (scene) => {
        const { ask } = scene
        const variables = [{ key: 'A' }, { key: 'B', fallback_value: null }, { key: 'C', fallback_value: '' }]
        const { id, ...created } = await scene.made('template', { variables })
        const expected = [
          { key: 'A', type: 'string', fallback_value: null },
          { key: 'B', type: 'string', fallback_value: null },
          { key: 'C', type: 'string', fallback_value: '' },
        ]
        expect(created.variables).toEqual(expected)
        for (const asked of [
          ask(`GET /templates/${id}`),
          ask(`PUT /templates/${id}`, { name: 'Named' }),
          ask(`POST /templates/${id}/publish`),
          ask(`POST /templates/${id}/duplicate`),
          ask(`GET /templates/${id}/versions/1`),
          ask(`POST /templates/${id}/versions/1/restore`),
        ]) {
          expect((await asked).json.variables).toEqual(expected)
        }
      }),
      proof('TPL-7', 'required in the OpenAPI document', async (scene) => {
        const paths = readApiDocument<Described>((await scene.ask('GET /openapi.json')).json)
        const answered = paths['/templates/{id}']?.get?.responses[200]?.content['application/json']
        expect(answered?.schema.properties.variables.items.required).toContain('fallback_value')
      }),
    ],
  },
]
