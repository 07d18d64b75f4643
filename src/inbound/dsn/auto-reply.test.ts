import { expect, test } from 'vitest'
import { isAutomaticSubject } from './auto-reply.ts'

test.each([
  ...[
    'Automatisch antwoord: Hello',
    'Automatiskt svar: Hello',
    'Autosvar: Hello',
    'Resposta automática: Hello',
  ],
  ...['Odpowiedź automatyczna: Hello', 'Automatická odpověď: Hello', 'Автоматический ответ: Hello'],
  ...['自动答复: Hello', 'Automaattinen vastaus: Hello', 'Otomatik Yanıt: Hello', '自動返信: Hello'],
  ...[
    'Absent du bureau',
    'Fuera de la oficina',
    'Fuori ufficio',
    'Afwezig',
    'Urlaub bis 3.1.',
    'Abwesenheit',
  ],
  ...['Ich bin nicht da', 'On annual leave until 3 Jan', 'OOO: Hello', 'Out of office', 'Re: Vacation'],
])('written by a vacation program: %s', (subject) => {
  expect(isAutomaticSubject(subject)).toBe(true)
})

test.each([
  'Re: News',
  'unsubscribe',
  'Abmelden',
  'Désinscription',
  'Please stop',
  'Hello',
  'Ooops, wrong list',
])('written by a person: %s', (subject) => {
  expect(isAutomaticSubject(subject)).toBe(false)
})
