import { anyPhrase, oneOf } from '../lib/text/phrases.ts'
import { follows, type Words } from './families/near.ts'

/** The phrases of one language for a nonexistent mailbox. */
interface Language {
  /** Names of a mailbox or its owner. */
  named: string
  /** "Does not exist", after the name. */
  missing: string
  /** "Does not exist", before the name. */
  before: string
}

const GERMAN: Language = {
  named:
    'anschrift|benutzer(?:name)?|nutzer|empf(?:ä|ae)nger(?:name|adresse)?|adressat|adresse|postfach|mailbox|konto|account|teilnehmer|user|(?<!\\p{L})name',
  missing:
    'unbekannt|nicht (?:mehr )?(?:bekannt|gefunden|vorhanden|existent|g(?:ü|ue)ltig|erkannt|registriert|eingerichtet|aufgel(?:ö|oe)st|ermittelt|in gebrauch|im (?:\\S{1,30} ){0,4}\\S{0,20}(?:verzeichnis|adressbuch)|(?:auf|ein)ge(?:listet|tragen|f(?:ü|ue)hrt))|existiert (?:\\S{1,20} ){0,4}nicht|niemand(?:e[mn])? (?:bekannt|vorhanden)|aufgel(?:ö|oe)st|ung(?:ü|ue)ltig|gibt es (?:hier )?nicht|gel(?:ö|oe)scht',
  before:
    'unbekannte[rnms]?|ung(?:ü|ue)ltige[rnms]?|nicht existierende[rnms]?|gel(?:ö|oe)schte[rnms]?|kein[er]?(?: solche[rs]?| g(?:ü|ue)ltige[rs]?)?|es gibt kein\\w*(?: solche[rs]?)?',
}

const FRENCH: Language = {
  named:
    'utilisateur|destinataire|adresse|compte|bo[iî]te(?: aux lettres)?|usager|abonn[ée]e?|(?<!\\p{L})nom',
  missing:
    "inconnue?s?|introuvable|inexistante?|invalide|erron[ée]e?|n[’' ]?existe (?:pas|plus)|n[’' ]?est (?:pas|plus) (?:\\S{1,20} )?(?:valide|reconnue?|connue?|r[ée]pertori[ée]e?|utilis[ée]e?|attribu[ée]e?)|n[’' ]?a pas (?:pu )?(?:[êeé]t(?:re|[ée]) )?(?:trouv|identifi|localis|reconnu)[ée]*|n[’' ]?ont pas [ée]t[ée] trouv[ée]e?s|non (?:trouv[ée]e?|valide|reconnue?|r[ée]pertori[ée]e?|list[ée]e?)|supprim[ée]e?|ne figure pas",
  before: "impossible de trouver(?: l[’']| le | la )?|aucun[e]?|mauvaise?|n[’']existe pas de",
}

const SPANISH: Language = {
  named: 'usuari[oa]?|destinatari[oa]?|compte|b[uú]stia|direcci[oó]n|buz[oó]n|cuenta|correo|casilla',
  missing:
    'desconocid[oa]|inexistente|no existeix|no existe|no s.ha trobat|dad[oa] de baja|borrad[oa]|no (?:es |son )?v[aá]lid[oa]|inv[aá]lid[oa]|no (?:se )?(?:ha sido |fue |pudo ser |ha podido ser )?(?:encontrad|localizad|reconocid|registrad)[oa]|no se (?:encuentra|encontr[oó]|reconoce|pudo encontrar)|no (?:est[aá]|figura|aparece)|eliminad[oa]|incorrect[oa]|ha (?:expirado|caducado)|(?:est[aá] )?(?:caducad|expirad)[oa]|ya no (?:existe|est[aá]|funciona)',
  before:
    'no se (?:encontr[oó]|encuentra|pudo encontrar|ha encontrado|reconoce)|no existe|(?:no (?:hay|tenemos|contamos con) )?ning(?:[uú]n|una)|no hay',
}

const PORTUGUESE: Language = {
  named: 'usu[aá]rio|utilizador|destinat[aá]rio|endere[cç]o|conta|caixa(?: postal| de \\S{1,12})?|e-?mail',
  missing:
    'desconhecid[oa]|inexistente|n[aã]o (?:existe|existente|conferem?)|n[aã]o (?:[eé] |est[aá] |foi |p[oô]de ser |pode ser )?(?:v[aá]lid|encontrad|localizad|reconhecid|cadastrad|registrad)[oa]|inv[aá]lid[oa]|exclu[ií]d[oa]|removid[oa]',
  before:
    '(?:n[aã]o (?:h[aá]|temos) )?nenhuma?|n[aã]o h[aá]|n[aã]o (?:foi poss[ií]vel (?:encontrar|localizar)|existe|encontramos)',
}

const ITALIAN: Language = {
  named: 'utente|destinatario|indirizzo|casella|account|mailbox|nome',
  missing:
    'sconosciut[oa]|inesistente|non (?:esiste|valid[oa]|pu[oò] essere trovat[oa])|non (?:[eè] )?(?:stat[oa] )?(?:trovat|riconosciut|elencat|registrat|valid)[oa]|non (?:[eè] )?presente|errat[oa]|rimoss[oa]|cancellat[oa]|eliminat[oa]|chius[oa] definitivamente',
  before: 'impossibile trovare|non esiste|nessun[ao]?',
}

const DUTCH: Language = {
  named: 'gebruiker|geadresseerde|ontvanger|(?:e-?mail)?adres|postbus|mailbox|account',
  missing:
    'onbekend|bestaat (?:hier )?niet|niet (?:gevonden|bekend|geldig|herkend|worden gevonden)|ongeldig|niet-bestaand|verwijderd|opgeheven|komt niet voor',
  before: 'onbekende|ongeldige?|niet-bestaande?|geen(?: geldige?)?',
}

const NORDIC: Language = {
  named:
    'anv[aä]ndar\\w*|mottagare\\w*|modtager\\w*|mottaker\\w*|bruger\\w*|bruker\\w*|(?:e-?post|mail)?-?adress\\w*|postl[aå]d\\w+|postkasse\\w*|konto\\w*|vastaanottaj\\w*|k[aä]ytt[aä]j\\p{L}*|osoit\\w+|postilaatik\\w+',
  missing:
    'g(?:ick|[åa]r) inte att hitta|fin(?:ns|nes|des) (?:inte|ikke)|ok[aä]nd|ukendt|ukjent|eksisterer ikke|existerar inte|ogiltig|ugyldig|hittades inte|ikke (?:fundet|funnet)|kun(?:de|ne) (?:inte|ikke) (?:hittas|findes|bli funnet)|ei ole olemassa|ei ole (?:en[äa][äa] )?k[äa]yt[öo]ss[äa]|poistettu|(?:har )?(?:ta(?:gits|s) bort|raderats|upph[öo]rt)|er (?:blevet )?(?:slettet|nedlagt|fjernet)|blev ikke fundet|ble ikke funnet|ei l[oö]y[dt]\\w*|tuntematon|virheellinen',
  before:
    'gick inte att hitta|fan[dt]t? ikke|hittade inte|kun(?:de|ne) (?:inte|ikke) (?:hitta|finde|finne)|ok[aä]nd|ukendt|ukjent|ogiltig|ugyldig|tuntematon',
}

const SLAVONIC: Language = {
  named:
    'u[zż]ytkownik\\p{L}*|odbiorc\\p{L}*|adres\\p{L}*|skrzynk\\p{L}*|kont\\p{L}{1,2}|[uú][cč]e?t|u[zž]ivatel\\p{L}*|pou[zž][ií]vate[lľ]\\p{L}*|p[rř][ií]jem\\p{L}+|schr[aá]nk\\p{L}*|korisni\\p{L}*|primatelj\\p{L}*|prejemnik\\p{L}*|uporabnik\\p{L}*|naslov\\p{L}*|sandu[cč]i[cć]\\p{L}*',
  missing:
    'nie istnieje|nieznan\\w+|nieprawid[lł]ow\\w+|nie (?:zosta[lł]\\w? )?(?:znalezion|odnalezion)\\w*|usuni[eę]t\\p{L}+|zlikwidowan\\p{L}*|neexistuj\\p{L}*|nezn[aá]m\\p{L}*|nenalezen\\p{L}*|nen[aá]jden\\p{L}*|neplatn\\p{L}*|neb[yo]l\\p{L}* (?:nalezen|n[aá]jden)\\p{L}*|(?:byl\\p{L}* )?(?:zru[sš]en|smaz[aá]n|odstran[eě]n)\\p{L}*|ne (?:postoji|obstaja)|nije prona[dđ]en\\p{L}*|nepoznat\\p{L}*|nepostoje[cć]\\p{L}*',
  before:
    'nie (?:mo[zż]na|uda[lł]o si[eę]) (?:znale[zź][cć]|odnale[zź][cć])|nie znaleziono|brak (?:takie\\p{L}+|(?=u[zż]ytk|odbior|adres|kont))|nie ma takie\\p{L}+|nelze naj[ií]t|nie je mo[zž]n[eé] n[aá]js[tť]|nepostoje[cć]\\p{L}*|nieznan\\w+|nezn[aá]m\\w+|neexistuj[ií]c[ií]\\p{L}*|neplatn\\p{L}+|nepoznat\\p{L}*',
}

const RUSSIAN: Language = {
  named:
    'пользовател\\S*|получател\\S*|адресат\\S*|адрес\\S*|ящик\\S*|аккаунт\\S*|учетн\\S+ запис\\S+|користувач\\S*|отримувач\\S*|одержувач\\S*|скриньк\\S*|кути[яю]\\S*|потребител\\S*|корисни[кц]\\S*|прималац|примаоц\\S*|обліков\\S+ запис\\S*',
  missing:
    'не существует|не найден\\S*|неизвест\\S+|не (?:был )?(?:зарегистрирован|обнаружен|значится)\\S*|не (?:съществува|е намерен|постоји)|није пронађен\\S*|удален\\S*|видален\\S*|отсутствует|удал[её]н\\S*|недействител\\S+|неверн\\S+|некоррект\\S+|нет(?= |\\.|$)|не існує|не знайден\\S*|невідом\\S+',
  before:
    'не (?:удалось|удается|удаётся) найти|нет так\\S+|так\\S+ нет|несуществующ\\S+|неизвестн\\S+|неверн\\S+|невідом\\S+',
}

const OTHERS: Language = {
  // Hungarian, Romanian, Turkish, Indonesian, Vietnamese, Greek.
  named: [
    'c[ií]mzett\\S*',
    'felhaszn[aá]l[oó]\\S*',
    '(?<!\\p{L})c[ií]m',
    'postafi[oó]k',
    'utilizator\\S*',
    'destinatar\\S*',
    'adres\\S*',
    'kullan[iı]c[iı]\\S*',
    'al[iı]c[iı]\\S*',
    'hesap',
    'pengguna',
    'penerima',
    'alamat',
    'người nhận',
    'địa chỉ',
    'tài khoản',
    'hộp thư',
    'χρήστης',
    'παραλήπτης',
    'διεύθυνση',
    'λογαριασμός',
    'c[aă]su[tțţ][aă]\\S*',
    'contul',
    'נמען',
    'הנמען',
    'משתמש',
    'המשתמש',
    'כתובת\\S*(?: הדואר)?(?: האלקטרוני)?',
    'תיבת\\S*(?: הדואר)?',
    'חשבון',
    'המשתמש',
    'المستلم',
    'المستخدم',
    'المرسل إليه',
    'عنوان(?: البريد)?(?: الإلكتروني)?',
    'العنوان',
    'الحساب',
    'صندوق البريد',
    'kasutaja\\S*',
    'vart[oa]toj\\S*',
    'gav[eē]j\\S*',
    'adresaat\\S*',
    'người dùng',
    'ผู้ใช้',
    'ผู้รับ',
    'ที่อยู่',
  ].join('|'),
  missing: [
    'nem (?:l[eé]tezik|tal[aá]lhat[oó]|ismert)',
    'ismeretlen',
    '[eé]rv[eé]nytelen',
    'nu exist[aă]',
    'necunoscut\\S*',
    'inexistent\\S*',
    'nu a fost g[aă]sit\\S*',
    'bulunamad[iı]',
    'bulunmamaktad[iı]r',
    'mevcut de[gğ]il',
    'ge[cç]ersiz',
    'bilinmiyor',
    'tidak (?:ada|ditemukan|terdaftar|dikenal|valid)',
    'không (?:tồn tại|tìm thấy|hợp lệ)',
    'δεν (?:υπάρχει|βρέθηκε|είναι έγκυρ\\S+)',
    'άγνωστ\\S+',
    'לא (?:נמצא|קיי[םמ]|ידוע|מוכר)\\S*',
    'אינ[וה] (?:קיי[םמ]|ידוע|מוכר)\\S*',
    'غير (?:موجود|معروف|صالح|صحيح)\\S*',
    'لا يوجد',
    'لم يتم العثور',
    'yok(?:tur)?',
    'silinmi[sş]\\S*',
    'megsz[uű]nt',
    't[oö]r[oö]lt\\S*',
    'a fost [sșş]ters\\S*',
    'ei leitud',
    'ei eksisteeri',
    'nerastas',
    'neegzistuoja',
    'nav atrasts',
    'neeksist[eē]',
    'ไม่พบ',
    'ไม่มีอยู่',
  ].join('|'),
  before:
    '(?:nincs )?ilyen|nu exist[aă]|b[oö]yle bir|לא (?:נמצא|קיים)|לא ניתן למצוא|لم يتم العثور على|δεν βρέθηκε|ไม่พบ|ismeretlen|ge[cç]ersiz|bilinmeyen|tidak ada|không tìm thấy|άγνωστος',
}

/** Chinese, Japanese and Korean: no spaces, and the name may be on either side. */
const CHINESE: Language = {
  named: '用户|用戶|使用者|收件人|收信人|收件者|地址|邮箱|郵箱|信箱|[帐账帳][号號户戶]',
  missing:
    '不存在|找不到|不正确|不正確|错误|錯誤|有误|有誤|无效|無效|未知|未找到|没有找到|不明|查无|查無|已注销|(?<![邮郵信]件)已[经經]?被?(?:刪除|删除|注销|註銷|停止使用)|查不到|[无無]此',
  before: '不存在的|[无無]此|没有此|没有这个|查[无無]此|找不到|未找到|未知|[无無]效的?|(?:[无無]法|不能)找到',
}

const JAPANESE: Language = {
  named: 'ユーザー?|宛先|宛て先|あて先|受信者|受取人|アドレス|メールボックス|アカウント|相手先|送信先',
  // "Not found, or for reasons of its server" explains nothing, nor does "check whether it is wrong".
  missing:
    '不明|存在し(?:ない|ません|て(?:い|お)(?:ない|ません|りません))|見つかりません|見つからない(?!か|、)|登録されて(?:い|お)(?:ない|ません|りません)|(?:リスト|一覧|名簿)に(?:あ|は?載)|間違って(?!い?な)|無効|(?:現在|すでに|既に)?(?:使われて|使用されて|利用されて)(?:い|お)(?:ない|ません|りません)|(?<!メール[はが])(?<!メッセージ[はが])(?:削除|抹消|解約)され|誤り(?!.?.?な[いく])|ありません(?!か)',
  before: '存在しない|不明な|無効な|登録されていない|該当する',
}

const KOREAN: Language = {
  named: '사용자|수신자|수신인|받는 ?사람|주소|계정|메일함|편지함',
  missing:
    '존재하지 않|찾을 수 없|없는|없습니다|알 수 없|잘못|유효하지 않|(?<!(?:메일이|메시지가) ?)삭제되|탈퇴|해지|등록되(?:어 있)?지 않',
  before: '존재하지 않는|없는|알 수 없는|잘못된|유효하지 않은',
}

const GAP_BEHIND_MAX = 60
const GAP_BEFORE_MAX = 20
const GAP_ADDRESS_MAX = 12
/** An address at the start of a sentence or after a reply code. */
const ADDRESS =
  /(?<=^(?:\W*[45]\d\d[ -])?(?:5\.\d\.\d )?[ <"'«]{0,4}|[.;:] ?[<"'«]?)[\w.+-]{1,64}@[\w.-]{1,255}[>"'»]{0,2}/gu
const GAP_EASTERN_MAX = 30

/** Words end where letters do: `\b` knows only English letters. */
function whole(words: string, ends = '(?!\\p{L})'): RegExp {
  return new RegExp(`(?<!\\p{L})(?:${words})${ends}`, 'giu')
}

/** Names end compounds (`E-Mail-Adresse`), and inflections follow adjectives. */
function wordsOf({ named, missing, before }: Language): Words[] {
  const names = new RegExp(`(?:${named})(?!\\p{L})`, 'giu')
  return [follows(names, whole(missing, ''), GAP_BEHIND_MAX), follows(whole(before), names, GAP_BEFORE_MAX)]
}

function easternWordsOf({ named, missing, before }: Language): Words[] {
  const names = new RegExp(named, 'gu')
  const both = [
    follows(names, new RegExp(missing, 'gu'), GAP_EASTERN_MAX),
    follows(new RegExp(before, 'gu'), names, GAP_BEFORE_MAX),
  ]
  // The address itself is in between.
  return both.map(({ test }) => ({ test: (text) => test(text.replace(IN_BRACKETS, '')) }))
}

const IN_BRACKETS = /[(（<][^()（）<>]{1,300}[)）>]/g

const SPACED = [GERMAN, FRENCH, SPANISH, PORTUGUESE, ITALIAN, DUTCH, NORDIC, SLAVONIC, RUSSIAN, OTHERS]

export const DEAD_WORDS_ABROAD: readonly Words[] = [
  ...SPACED.flatMap(wordsOf),
  // One test for all languages: addresses take long to find.
  follows(ADDRESS, whole(SPACED.map(({ missing }) => missing).join('|'), ''), GAP_ADDRESS_MAX),
  ...[CHINESE, JAPANESE, KOREAN].flatMap(easternWordsOf),
]

/** The sender is unknown, not the recipient. */
export const SENDER_ABROAD = new RegExp(
  String.raw`${oneOf(
    /\bip-?\s?adresse|adresse ip\b|direcci[oó]n ip\b|endere[cç]o ip\b|indirizzo ip\b|ip-адрес/iu,
    /ваш\S{0,10} (?:ip|домен|сервер)/iu,
    /(?:ihre?|votre|vuestro|seu|vostro|uw) (?:ip|domain|domaine|dominio|dom[ií]nio|server|serveur|servidor)/iu,
    /absender|exp[ée]diteur|remitente|remetente|mittente|afzender|avs[aä]ndar|afsender|nadawc/iu,
    /odes[ií]latel|отправител|发件人|寄件人|寄件者|发信人|送信者|送信元|差出人|발신|보낸 ?사람|보내는/iu,
  )}[^.;\n]{0,60}(?:unbekannt|ung(?:ü|ue)ltig|nicht|inconnu|invalide|introuvable|pas|desconocid|no |inv[aá]lid|desconhecid|n[aã]o|sconosciut|non|onbekend|niet|ok[aä]nd|ukendt|inte|ikke|nieznan|nie |nezn|не|不|无|無|ない|ません|없|않)`,
  'iu',
)
/** A nonexistent domain, in the same languages. */
export const NO_DOMAIN_ABROAD = anyPhrase(
  /(?:dom(?:ain|(?:ä|ae)ne?)|rechner|zielhost)[^.;\n]{0,40}(?:unbekannt|existiert nicht|nicht (?:gefunden|vorhanden|bekannt|aufgel(?:ö|oe)st))/iu,
  /unbekannte[rn]? (?:domain|rechner|host)/iu,
  /domaine[^.;\n]{0,40}(?:inconnu|introuvable|inexistant|n[’' ]?existe pas|invalide)/iu,
  /domini?o[^.;\n]{0,40}(?:inexistente|no existe|desconocid|no encontrad|no v[aá]lid|n[aã]o existe|n[aã]o encontrad|inv[aá]lid|desconhecid|inesistente|non esiste|non trovat|sconosciut)/iu,
  /домен\S{0,10}[^.;\n]{0,40}(?:не существует|не найден|неизвест)/iu,
  /(?:域名|网域|網域)\S{0,20}(?:不存在|找不到|无效|無效|错误)/iu,
  /ドメイン[^。\n]{0,20}(?:存在し(?:ない|ません)|見つかりません|不明)/iu,
  /도메인[^.\n]{0,20}(?:존재하지 않|없|찾을 수)/iu,
)
