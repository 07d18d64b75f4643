import { Anchor, SimpleGrid, Skeleton, Text } from '@mantine/core'
import { useProperties } from '../../api/properties.ts'
import type { Contact, Property } from '../../api/records.ts'
import { useTeam } from '../../api/team.ts'
import { Fact } from '../../ui/facts.tsx'
import { Link } from '../../ui/link.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Section } from '../../ui/page/section.tsx'
import { showValue } from './property-values.ts'

/** The contact's values, and the fallbacks of properties without one. */
export function ContactProperties({ contact }: { contact: Contact }) {
  const team = useTeam()
  const properties = useProperties()
  return (
    <Section title="Properties">
      {properties === undefined && <Skeleton height={48} aria-busy />}
      {properties?.length === 0 && (
        <Text size="sm" c="dimmed">
          This team has no properties yet.{' '}
          <Anchor component={Link} to={`/${team.id}/properties`} size="sm">
            Properties
          </Anchor>{' '}
          are custom fields, such as a plan, a birthday or a count.
        </Text>
      )}
      {properties !== undefined && properties.length > 0 && (
        <SimpleGrid cols={{ base: 2, sm: 3 }} spacing="lg" verticalSpacing="md" component="dl" m={0}>
          {properties.map((property) => (
            <Fact key={property.id} label={<span className="code">{property.key}</span>}>
              <Value property={property} values={contact.properties} />
            </Fact>
          ))}
        </SimpleGrid>
      )}
    </Section>
  )
}

function Value({ property, values }: { property: Property; values: Contact['properties'] }) {
  const text = showValue(property, values)
  if (text === '')
    return (
      <Text span inherit c="dimmed">
        {property.fallback_value === null ? '–' : `${property.fallback_value} (fallback)`}
      </Text>
    )
  // A day has no time zone. A time is shown in the user's.
  if (property.type === 'date' && text.includes(' ')) return <Moment at={text} />
  return <span className="foreign">{text}</span>
}
