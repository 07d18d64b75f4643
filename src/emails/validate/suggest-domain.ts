import { run } from '@zootools/email-spell-checker'
import { isFreeProvider } from './free-providers.ts'

/** Known typos. Most of these names are registered, many with an MX, so DNS does not reveal them. */
const TYPOS: Record<string, string> = {
  'gmail.com': `gmial.com gmai.com gmal.com gmil.com gmali.com gmaill.com gmailc.om gamil.com gmaul.com gmeil.com gmqil.com
    gnail.com gmsil.com gmaio.com gmaik.com gmailcom.com ggmail.com gmmail.com gmaiil.com gmail.co
    gmail.cm gmail.om gmail.con gmail.cmo gmail.comm gmail.coom gmail.cim gmail.vom gmail.xom gmail.cpm gmail.ocm
    gmail.net gmail.org gmail.de gmail.fr gmail.it gmail.es gmail.co.uk gmaol.com gmajl.com
    gmail.comn gmail.clm gmail.dom gmail.col gmail.couk gmaile.com gmail.ca gmail.nl`,
  'hotmail.com': `hotmial.com hotmai.com hotmal.com hotmil.com hotmali.com hotmaill.com hotamil.com hotnail.com hotmaul.com
    hotmeil.com htomail.com hotmsil.com hotmaio.com hotmaik.com hotmail.co hotmail.cm hotmail.om hotmail.con hotmail.cmo
    hotmail.comm hotmail.vom hotmail.xom hotmail.net hotmail.org hormail.com hotmailcom.com hoymail.com homail.com
    otmail.com hitmail.com`,
  'yahoo.com': `yaho.com yahooo.com yhoo.com yaoo.com yahho.com yhaoo.com yaboo.com yahoo.co yahoo.cm yahoo.om yahoo.con
    yahoo.cmo yahoo.comm yahoo.vom yahoo.xom yahoo.net yahoo.org tahoo.com uahoo.com yajoo.com ahoo.com yahoocom.com
    yahoo.cim yahoo.ocm`,
  'outlook.com': `outlok.com outllok.com outloo.com outlool.com outloook.com oulook.com otlook.com outook.com outlokk.com
    outlook.co outlook.cm outlook.om outlook.con outlook.cmo outlook.comm outlook.vom outlook.net outlook.org outlouk.com
    outtlook.com uotlook.com putlook.com`,
  'icloud.com': `iclod.com icoud.com icloud.co icloud.cm icloud.om icloud.con icloud.cmo icloud.comm icluod.com iclould.com
    icolud.com iclooud.com iclud.com ilcoud.com icload.com icloude.com`,
  'aol.com': 'aol.co aol.cm aol.con aol.cmo aol.comm aol.om aoll.com aol.net',
  'live.com': 'live.con live.cmo live.comm live.om livee.com',
  'msn.com': 'msn.con msn.cmo msn.comm msn.co msn.om',
  'protonmail.com': `protonmail.con protonmail.co protonmial.com protonmai.com prtonmail.com protomail.com protonmal.com
    protonnmail.com`,
  'gmx.de': 'gmx.dee gmxx.de gmx.ded',
  'web.de': 'web.dee web.ed webb.de wbe.de',
  't-online.de': 'tonline.de t-onlin.de t-onine.de t-onlien.de t-oline.de t-online.ed',
  'googlemail.com': 'googlemial.com goglemail.com googelmail.com googlmail.com googlemail.co googlemail.con',
  'mail.ru': 'maill.ru mial.ru',
  'yandex.ru': 'yadex.ru yandx.ru yandez.ru',
  'comcast.net': 'comcast.nett comcst.net comcas.net concast.net comast.net',
}

const TARGET_BY_TYPO: ReadonlyMap<string, string> = new Map(
  Object.entries(TYPOS).flatMap(([target, slips]) =>
    slips.split(/\s+/).map((slip): [string, string] => [slip, target]),
  ),
)

/** Long names only: every short name (`bt.com`) is close to `qq.com`. */
const TARGETS =
  `gmail.com googlemail.com hotmail.com hotmail.co.uk hotmail.fr hotmail.it hotmail.es hotmail.de outlook.com
  outlook.fr outlook.de outlook.es yahoo.com yahoo.co.uk yahoo.fr yahoo.de yahoo.it yahoo.es yahoo.co.in yahoo.co.jp
  yahoo.com.br icloud.com protonmail.com proton.me rocketmail.com fastmail.com tutanota.com zoho.com yandex.ru yandex.com
  rambler.ru t-online.de freenet.de wanadoo.fr orange.fr laposte.net libero.it virgilio.it comcast.net verizon.net
  sbcglobal.net bellsouth.net earthlink.net optonline.net btinternet.com virginmedia.com sympatico.ca bigpond.com naver.com
  hanmail.net rediffmail.com uol.com.br terra.com.br seznam.cz`.split(/\s+/)
/** A sift3 distance: 1 for a replaced letter, 1.5 for an added or missing letter, 2 for two swapped letters. */
const DISTANCE_MAX = 1.5

/** Top-level labels that do not exist and are one typo away from one that does. */
const TOP_LABELS: Readonly<Record<string, string>> = {
  con: 'com',
  cmo: 'com',
  ocm: 'com',
  comm: 'com',
  coom: 'com',
  vom: 'com',
  xom: 'com',
  cpm: 'com',
  clm: 'com',
  cim: 'com',
  dom: 'com',
  comn: 'com',
  nett: 'net',
  nte: 'net',
  ent: 'net',
  ner: 'net',
  ogr: 'org',
  rog: 'org',
  orgg: 'org',
  ord: 'org',
  fre: 'fr',
  dee: 'de',
}

/**
 * Returns the domain that was probably meant, or null. Never doubts a name in our list of providers. Doubts a
 * domain that can receive mail only if it is a known typo. Similarity alone counts only for a domain that
 * cannot receive mail.
 * @param domain A-label in lower case
 * @param canGetMail the result of DNS; null if unknown
 */
export function suggestDomain(domain: string, canReceiveMail: boolean | null): string | null {
  if (isFreeProvider(domain)) return null
  const target = TARGET_BY_TYPO.get(domain)
  if (target !== undefined) return target
  if (canReceiveMail === true) return null
  const top = domain.slice(domain.lastIndexOf('.') + 1)
  const meant = Object.hasOwn(TOP_LABELS, top) ? TOP_LABELS[top] : undefined
  if (meant !== undefined) return domain.slice(0, -top.length) + meant
  return canReceiveMail === false ? closestProvider(domain) : null
}

/** Passes domains only: the library's own list of top-level labels would turn `.con` into `.co`. */
function closestProvider(domain: string): string | null {
  const email = `a@${domain}`
  const options = {
    domains: TARGETS,
    domainThreshold: DISTANCE_MAX,
    secondLevelDomains: [],
    topLevelDomains: [],
  }
  return run({ email, ...options })?.domain ?? null
}
