import { expect, test } from 'vitest'
import { convertContacts } from './convert-contacts.ts'
import { readRecords } from './read-records.ts'

function propertiesOf(csv: string) {
  const { rows } = convertContacts('sendgrid', readRecords('contacts.csv', Buffer.from(csv)))
  return rows.map(({ properties }) => Object.fromEntries(properties))
}

test('fields whose names have the same Latin letters keep their values, in properties of their own', () => {
  const header = 'email,Город,Страна,Größe,Gräße,Favourite colour,PLAN'
  const whole = { field: 'Киев', field_2: 'Украина', gr_e: '1', gr_e_2: '2' }
  expect(propertiesOf(`${header}\na@x.test,,Украина,3,4,,\nb@x.test,Киев,Украина,1,2,green,pro`)).toEqual([
    { field_2: 'Украина', gr_e: '3', gr_e_2: '4' },
    { ...whole, favourite_colour: 'green', plan: 'pro' },
  ])
})
