import Type from 'typebox'
import { Uuid } from '../../http/route/schemas.ts'

export const MoveBody = Type.Object(
  {
    from_version: Type.Integer({ minimum: 1, description: 'Version whose runs are moved.' }),
    dry_run: Type.Optional(Type.Boolean({ description: 'Only count. Default: false.' })),
  },
  { examples: [{ from_version: 1, dry_run: true }] },
)

export const MoveAnswer = Type.Object(
  {
    object: Type.Literal('automation_move'),
    automation_id: Uuid,
    to_version: Type.Integer({ description: 'The current version.' }),
    moved: Type.Integer({ description: 'Runs that were moved, or would be.' }),
    left: Type.Integer({ description: 'Runs that could not be moved.' }),
  },
  {
    title: 'AutomationMove',
    examples: [
      {
        object: 'automation_move',
        automation_id: '0198c0de-0000-7000-8000-0000000000f2',
        to_version: 2,
        moved: 40,
        left: 0,
      },
    ],
  },
)
