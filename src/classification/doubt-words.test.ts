import { expect, test } from 'vitest'
import { classifyReply } from './classify.ts'

const rcpt = (text: string) => classifyReply({ code: 550, enhanced: null, text }, 'rcpt')

test.each([
  'Utilisateur inconnu pour le moment, base en maintenance',
  'Kullanici bulunamadi, daha sonra tekrar deneyin',
  'No such user here (authentication server unreachable, retry)',
  '5.1.1 <a@x.test>: Recipient address rejected: unverified address: connect to mail.x.test[192.0.2.1]:25: Connection refused',
  'Benutzer unbekannt, bitte später erneut versuchen',
  'Usuario desconocido, intente más tarde',
  'Utente sconosciuto, riprovare più tardi',
  'Usuário inexistente, tente mais tarde',
  'Gebruiker onbekend, probeer het later opnieuw',
  'Użytkownik nieznany, spróbuj później',
  'Пользователь не найден, попробуйте позже',
  '用户不存在，请稍后再试',
  'ユーザーが見つかりません。後で再試行してください',
  '사용자를 찾을 수 없습니다. 나중에 다시 시도하십시오',
  'User unknown; rejecting (LDAP server timeout)',
  'mailbox not found - mysql server has gone away',
  "User doesn't exist (userdb lookup timed out)",
  '5.2.1 Mailbox disabled for maintenance, try in one hour',
  'AccountDisabled: payment required',
  'UserDisabled: password expired',
  '(MailboxDisabled) by quota service, resets at midnight',
  'Account of the sender was deleted',
  '5.7.1 Message rejected: the sending user does not exist at your domain',
  'Your user is unknown to this relay',
  'Invalid recipient count for one message',
  'The owner of this mailbox removed your permission to write',
  'Rejected because you sent to invalid users',
  'User disabled delivery of automated messages',
  'No mailbox space',
  'directory harvest protection: invalid recipients over threshold',
  'Demasiados destinatarios inexistentes en esta sesión',
  '无效收件人过多',
  'your domain has no MX records',
  'No MX record for the domain you send from',
  'getaddrinfo ENOTFOUND ldap.internal',
])('never suppressed: %s', (text) => {
  expect(rcpt(text).suppress).toBe(false)
})

test.each(['User unknown', '5.1.1 User unknown. Do not retry.', 'No such user here', 'Benutzer unbekannt'])(
  'suppressed as before: %s',
  (text) => {
    expect(rcpt(text)).toMatchObject({ state: 'bounced', suppress: true })
  },
)
