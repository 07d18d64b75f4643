import Type from 'typebox'
import type { Config } from '../../config/config.ts'
import { DeliveryKind, TextOrNull } from '../../http/route/schemas.ts'

export const InstallationRecord = Type.Object(
  {
    object: Type.Literal('installation'),
    needs_owner: Type.Boolean({ description: 'Whether no account exists yet.' }),
    delivery: DeliveryKind,
    password_login: Type.Boolean({ description: 'Whether people can log in with a password or a passkey.' }),
    single_sign_on: TextOrNull('Name of the login provider. Null: none.'),
  },
  {
    title: 'Installation',
    examples: [
      {
        object: 'installation',
        needs_owner: false,
        delivery: 'direct',
        password_login: true,
        single_sign_on: null,
      },
    ],
  },
)

export function installationToJson(
  { delivery, passwordLogin, oidcIssuer, oidcLabel }: Config,
  needsOwner: boolean,
) {
  return {
    object: 'installation',
    needs_owner: needsOwner,
    delivery: delivery.kind,
    password_login: passwordLogin,
    single_sign_on: oidcIssuer === null ? null : oidcLabel,
  }
}
