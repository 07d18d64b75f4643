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

/** Returns whether a reply says that the reason may pass. Such a reply never suppresses an address. */
export function saysLater(text: string): boolean {
  return LATER.some((words) => words.test(text))
}
