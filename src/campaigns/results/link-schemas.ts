import Type, { type Static } from 'typebox'
import { TextOrNull, Uuid } from '../../http/route/schemas.ts'
import type { CampaignLink } from './links-queries.ts'

export const LinkAnswer = Type.Object(
  {
    object: Type.Literal('campaign_link'),
    id: Uuid,
    url: TextOrNull('Null: the rest, beyond 300 links.'),
    clicked: Type.Integer({ description: 'Clicks of people.' }),
    clicked_unique: Type.Integer({ description: 'Recipients.' }),
    clicked_machine: Type.Integer({ description: 'Machines.' }),
  },
  {
    title: 'CampaignLink',
    examples: [
      {
        object: 'campaign_link',
        id: '0198c0de-0000-7000-8000-000000000071',
        url: 'https://shop.example/spring',
        clicked: 7,
        clicked_unique: 5,
        clicked_machine: 1,
      },
    ],
  },
)

export function linkToJson(link: CampaignLink): Static<typeof LinkAnswer> {
  const { id, url, clicked, clickedUnique, clickedMachine } = link
  return {
    object: 'campaign_link',
    id,
    url,
    clicked,
    clicked_unique: clickedUnique,
    clicked_machine: clickedMachine,
  }
}
