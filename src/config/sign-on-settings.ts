import { groupRoles, mailDomains, oidcIssuer, oidcScopes, onOff, sessionLifetime } from './single-sign-on.ts'

/** The settings of logins to the dashboard: a part of SETTINGS. */
export const SIGN_ON_SETTINGS = {
  passwordLogin: {
    name: 'SENDWRIGHT_PASSWORD_LOGIN',
    help: 'off: people log in to the dashboard with single sign-on only.',
    example: 'on',
    parse: onOff,
  },
  oidcIssuer: {
    name: 'SENDWRIGHT_OIDC_ISSUER',
    help: 'OpenID provider for logins to the dashboard: its https URL. Default: no single sign-on.',
    example: 'https://login.example.com',
    parse: oidcIssuer,
  },
  oidcClientId: {
    name: 'SENDWRIGHT_OIDC_CLIENT_ID',
    help: 'Client ID at the OpenID provider.',
    example: 'sendwright',
    parse: (text: string | undefined) => text ?? null,
  },
  oidcClientSecret: {
    name: 'SENDWRIGHT_OIDC_CLIENT_SECRET',
    help: 'Client secret at the OpenID provider. Default: none, for a public client.',
    example: 'a-long-random-string',
    secret: true,
    parse: (text: string | undefined) => text ?? null,
  },
  oidcScopes: {
    name: 'SENDWRIGHT_OIDC_SCOPES',
    help: 'Scopes of a login, separated by spaces.',
    example: 'openid email profile',
    parse: oidcScopes,
  },
  oidcLabel: {
    name: 'SENDWRIGHT_OIDC_LABEL',
    help: 'Name of the provider on the login page: "Log in with ...".',
    example: 'single sign-on',
    parse: (text: string | undefined) => (text ?? 'single sign-on').slice(0, 40),
  },
  oidcDomains: {
    name: 'SENDWRIGHT_OIDC_DOMAINS',
    help: 'Email domains, comma-separated, whose addresses the provider assigns. Only people with such an address log in.',
    example: 'example.com',
    parse: mailDomains,
  },
  oidcGroupsClaim: {
    name: 'SENDWRIGHT_OIDC_GROUPS_CLAIM',
    help: 'Claim that lists the groups of a person.',
    example: 'groups',
    parse: (text: string | undefined) => text ?? 'groups',
  },
  oidcRoles: {
    name: 'SENDWRIGHT_OIDC_ROLES',
    help: 'Roles of groups: GROUP=ROLE for the oldest team, or GROUP=ROLE@TEAM_ID; separated by semicolons.',
    example: 'mail-admins=admin;staff=viewer',
    parse: groupRoles,
  },
  oidcSessionMs: {
    name: 'SENDWRIGHT_OIDC_SESSION',
    help: 'How long a session lasts after single sign-on: at most 90d.',
    example: '12h',
    parse: sessionLifetime,
  },
}
