/** The texts of the smtp pages. */
export const texts = {
  page: {
    smtp: 'SMTP',
    programsWithoutApiClient:
      'Programs without an API client can submit email over SMTP. The same signing, limits and logs apply.',
    installationDoesNotAccept:
      'This installation does not accept mail over SMTP. To enable it, an operator sets SENDWRIGHT_SUBMISSION_PORT.',
    credentials: 'Credentials',
    host: 'Host',
    copyTheHost: 'Copy host',
    port: 'Port',
    copyThePort: 'Copy port',
    withStarttls: 'with STARTTLS',
    copyTheTlsPort: 'Copy TLS port',
    tlsFromFirstByte: 'with TLS from the first byte',
    userName: 'User name',
    copyTheUserName: 'Copy user name',
    orAnyOtherName: '(or any other name)',
    password: 'Password',
    an: 'An',
    apiKey: 'API key',
    examples: 'Examples',
    language: 'Language',
    replaceApiKeyApi:
      'Replace YOUR_API_KEY with an API key. Fields named X-Sendwright-… set tags, templates and schedules.',
    nodemailer: 'Nodemailer',
    python: 'Python',
    settings: 'Settings',
    postfix: 'Postfix',
  },
} as const
