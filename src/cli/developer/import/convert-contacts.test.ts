import { expect, test } from 'vitest'
import { convertContacts, listOwnFields, namePropertyKeys } from './convert-contacts.ts'
import { readRecords } from './read-records.ts'

const keysOf = (...names: string[]) => Object.fromEntries(namePropertyKeys(new Set(names)))

function propertiesOf(text: string) {
  const records = readRecords('contacts', Buffer.from(text))
  const { rows } = convertContacts('sendgrid', records, namePropertyKeys(listOwnFields(records)))
  return rows.map(({ properties }) => Object.fromEntries(properties))
}

test('fields whose names have the same Latin letters keep their values, in properties of their own', () => {
  const header = 'email,Город,Страна,Größe,Gräße,Favourite colour,PLAN'
  const whole = { field: 'Киев', field_2: 'Украина', gr_e_2: '1', gr_e: '2' }
  expect(propertiesOf(`${header}\na@x.test,,Украина,3,4,,\nb@x.test,Киев,Украина,1,2,green,pro`)).toEqual([
    { field_2: 'Украина', gr_e_2: '3', gr_e: '4' },
    { ...whole, favourite_colour: 'green', plan: 'pro' },
  ])
})

test('a name that is a key keeps it, wherever it stands', () => {
  expect(propertiesOf('email,Plan %,plan\na@x.test,10,pro')).toEqual([{ plan_2: '10', plan: 'pro' }])
  expect(keysOf('Field!', 'field_2', 'Город', 'field')).toEqual({
    'Field!': 'field_3',
    field_2: 'field_2',
    Город: 'field_4',
    field: 'field',
  })
})

test('the order of columns and records does not matter', () => {
  const names = ['Страна', 'Plan %', 'Город', 'Plan $', 'plan', '2nd']
  expect(keysOf(...names.toReversed())).toEqual(keysOf(...names))
  const [first, second] = [
    { email: 'a@x.test', vars: { Страна: '1' } },
    { email: 'b@x.test', vars: { Город: '2' } },
  ]
  expect(propertiesOf(JSON.stringify([first, second]))).toEqual([{ field_2: '1' }, { field: '2' }])
  expect(propertiesOf(JSON.stringify([second, first]))).toEqual([{ field: '2' }, { field_2: '1' }])
})

test('names that differ only in case are one property', () => {
  expect(keysOf('PLAN', 'plan', 'Plan %', 'PLAN %')).toEqual({
    PLAN: 'plan',
    plan: 'plan',
    'Plan %': 'plan_2',
    'PLAN %': 'plan_2',
  })
})
