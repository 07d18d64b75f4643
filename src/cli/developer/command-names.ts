/**
 * The commands that call the API. They need no database and no settings of a server, so the entry of the program loads
 * them without the server's code. Their names are plural or new, those of operators' commands singular.
 */
export const DEVELOPER_COMMANDS: readonly string[] = [
  'login',
  'profiles',
  'emails',
  'listen',
  'templates',
  'domains',
  'contacts',
  'campaigns',
  'import',
  'captured',
]
