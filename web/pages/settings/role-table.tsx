import './settings.css'
import { Accordion, Text } from '@mantine/core'
import { useTeam } from '../../api/team.ts'
import { Section } from '../../ui/page/section.tsx'
import { ROLE_TEXTS, ROLES, withArticle } from '../../ui/role-words.ts'
import { type Right, ROLE_AREAS, rightOf } from './role-areas.ts'

const WORDS: Readonly<Record<Right, string>> = { change: 'Change', read: 'View', none: '–' }

/** A table of what each role may do. */
export function RoleTable() {
  const { role: ownRole } = useTeam()
  return (
    <Section title="Roles" description={`You are ${withArticle(ownRole)} of this team.`}>
      <dl className="roles">
        {ROLES.map((role) => (
          <div key={role}>
            <dt>{ROLE_TEXTS[role].label}</dt>
            <dd>{ROLE_TEXTS[role].summary}</dd>
          </div>
        ))}
      </dl>
      <Accordion variant="default" mt="sm" chevronPosition="left" styles={{ item: { border: 0 } }}>
        <Accordion.Item value="table">
          <Accordion.Control px={0}>
            <Text size="sm">Permissions by area</Text>
          </Accordion.Control>
          <Accordion.Panel>
            <Areas />
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </Section>
  )
}

function Areas() {
  return (
    <table className="rows role-areas" aria-label="Permissions of each role by area">
      <thead>
        <tr>
          <th scope="col" style={{ width: '34%' }}>
            Area
          </th>
          {ROLES.map((role) => (
            <th key={role} scope="col">
              {ROLE_TEXTS[role].label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {ROLE_AREAS.map((area) => (
          <tr key={area.area}>
            <th scope="row" className="row-head">
              {area.area}
            </th>
            {ROLES.map((role) => (
              <td key={role}>{WORDS[rightOf(role, area)]}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
