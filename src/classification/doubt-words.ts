/**
 * Words with which a server says that the reason may pass, whatever its code: it asks to try later, or its directory did
 * not respond.
 */
const LATER = [
  /\blater\b|\btry (?:again )?in (?:a|an|one|\d)|(?<!not |n't )\bretry\b|temporar|tempor[aá]l\b/i,
  /\bmaintenance\b|\btim(?:ed|e)[ -]?out\b|\boutage\b|fail-?over\b|\bmigration\b|\breplica\b|\bconnection refused\b/i,
  /\b(?:server|service|database|directory|lookup|backend) (?:is )?(?:unreachable|unavailable|down|error|failed|gone|has gone)\b/i,
  /\b(?:for|at) (?:the|this) (?:moment|time|hour)\b|\bright now\b|\bcurrently unavailable\b/i,
  /später|vorübergehend|momentan|zurzeit|derzeit|\bwartung/i,
  /plus tard|pour le moment|ultérieurement|réessay/i,
  /más tarde|por el momento|mantenimiento|intente(?:lo)? de nuevo/i,
  /più tardi|temporane|al momento|manutenzione|riprova/i,
  /mais tarde|temporári|no momento|manutenção/i,
  /tijdelijk|onderhoud|op dit moment/i,
  /senere|senare|midlertidig|tillfällig|underhåll|myöhemmin|tilapäi|väliaikai/i,
  /później|tymczasow|chwilowo|později|dočasn|később|átmeneti|ideiglenes|mai târziu/i,
  /daha sonra|geçici|bakım|позже|позднее|временно|попробуйте/i,
  /稍后|稍後|暂时|暫時|维护|後で|後ほど|一時的|しばらく|メンテナンス|나중|일시|잠시/i,
  /מאוחר|זמני|لاحق|مؤقت/i,
]
/** Words of a reason beside the address: limits, passwords and payments, or the sender's own account and domain. */
const BESIDE =
  /\bpayment\b|\bpassword\b|\bquota\b|\bspace\b|\bsession\b|\bsesión\b|\bthreshold\b|\bharvest|\bpermission\b|\byou sen[dt]\b|\bof the sender\b|\bsending (?:user|account|domain|host)\b|\byour (?:user|domain|account|host|server|ip)\b|\bautomated (?:messages|mail)\b|\brecipient count\b|\bldap\b|过多|\bdemasiados\b|\btoo many\b/i

/** Returns whether a reply tells of a reason that may pass or is not the address. Such a reply never suppresses it. */
export function castsDoubt(text: string): boolean {
  return BESIDE.test(text) || LATER.some((words) => words.test(text))
}
