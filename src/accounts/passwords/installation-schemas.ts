import Type from 'typebox'
import { DeliveryKind } from '../../http/schemas.ts'

export const InstallationRecord = Type.Object(
  {
    object: Type.Literal('installation'),
    needs_owner: Type.Boolean({ description: 'Whether no account exists yet.' }),
    delivery: DeliveryKind,
  },
  { title: 'Installation', examples: [{ object: 'installation', needs_owner: false, delivery: 'direct' }] },
)
