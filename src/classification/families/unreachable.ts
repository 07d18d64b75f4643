import { anyOf, eastern, type Family, latin, southern } from './near.ts'

/** Words for the remote host or the route to it, and words for no response. */
const LATIN: readonly Family[] = [
  {
    subject:
      '(?:remote|receiving|recipient.{0,2}s?|destination|target|other|foreign|their|mail|smtp)(?: \\w+)? (?:server|servers|hosts?|machine|system|mta|exchanger|exchangers|gateway|peer)|mail exchangers?|mx(?: hosts?| servers?)?|network(?: path)?|sockets?|the server|the host',
    state: [
      '(?:did|does|do|was|were|is|are|has|have) ?n.?t (?:\\w+ )?(?:respond\\w*|answer\\w*|reachable|responding|replied|reply|available|accept(?:ing)? connections|be (?:contacted|reached|connected))',
      '(?:could|can) ?(?:not|n.t) be (?:contacted|reached|connected)',
      'not? (?:respond\\w*|answer\\w*|reachable|reply\\w*|responsive)',
      'no (?:answer|response|reply)',
      'unreachable',
      'unresponsive',
      'unavailable',
      'off-?line',
      '(?:is |are |was )?down(?!load)',
      '(?:error|failure)(?: occurred)?',
      'timed out',
      'time-?out',
      'fail(?:ed|ing|s)? to respond',
      'answered',
    ].join('|'),
    gap: 30,
  },
  {
    subject:
      'unable to|could ?(?:not|n.t)|can ?(?:not|n.t)|not able to|failed to|impossible to|fail(?:ed|ure) (?:in|while|on)|error (?:while|when)|no',
    state:
      '(?:open(?:ing)? an? (?:smtp )?(?:session|connection)|open a socket|connect(?:ion|ing)?(?: to| with)?|contact|reach(?:ing)?|establish\\w*|talk(?:ing)? to|communicat\\w+(?: with)?|(?:answer|response|reply) from|get(?:ting)? (?:a |any )?(?:response|answer|reply|through))(?: (?:the|a|an|any|to|of|with|from))* (?:\\w+ ){0,3}(?:server|servers|host|hosts|machine|system|mta|exchanger|exchangers|session|connection|peer|mx|domain)',
    gap: 15,
  },
  {
    isCompound: true,
    subject:
      '(?:server|mailserver|zielserver|zielsystem|verbindung(?:saufbau)?s?|verbinding|host|rechner|netz\\w*|gegenstelle)s?',
    state:
      'nicht (?:erreichbar|erreicht|verf(?:ü|ue)gbar|aufgebaut|hergestellt|ansprechbar|geantwortet|kontaktiert)|antwortet(?:e)? nicht|unerreichbar|fehlgeschlagen|zeit(?:ü|ue)berschreitung|keine (?:verbindung|antwort)|niet (?:bereikbaar|bereikt|beschikbaar)|onbereikbaar|geen (?:verbinding|antwoord)|reageert niet|mislukt|verbinding (?:mislukt|geweigerd)',
  },
  {
    subject:
      'serveur|h[ôo]te|connexion|connecter|servidor|conexi[oó]n|conectar(?:se)?|conex[ãa]o|server|connessione|connettersi|collegarsi|serverul|conectare',
    state:
      "ne r[ée]pond (?:pas|plus)|injoignable|inaccessible|indisponible|impossible|n[’']a pas (?:pu|r[ée]pondu)|[ée]chou[ée]e?|refus[ée]e|no (?:se )?(?:responde|respondi[oó]|disponible|pudo|puede|ha podido)|inalcanzable|fallid[ao]|rechazada|n[ãa]o (?:responde|respondeu|foi poss[ií]vel|est[aá]|p[oô]de)|indispon[ií]vel|inacess[ií]vel|non (?:risponde|[eè] raggiungibile|disponibile|raggiungibile|[eè] stato possibile)|impossibile|irraggiungibile|fallita|nu (?:r[aă]spunde|s-a putut)",
  },
  {
    subject:
      'server\\w*|serwer\\w*|ansluta|anslutning\\w*|forbindelse\\w*|tilslut\\w*|tilkobling\\w*|koble|yhteyt\\w*|yhteys\\w*|palvelim\\w+|po[łl][ąa]cz\\w*|spojen\\w*|p[řr]ipoj\\w*|kapcsol\\w*|kiszolg[áa]l\\w*|sunucu\\w*|ba[ğg]lan[tıi]\\w*|poslu[žz]itelj\\w*',
    state:
      'svarar inte|svarer ikke|(?:inte|ikke) (?:n[åa]s|svar\\w*|kontakt\\w*|att|mulig\\w*|etabler\\w*|opret\\w*|oprettes)|gick inte|kunne ikke|kunde inte|ei vastaa\\w*|ei (?:saatu|voitu|onnistu\\w*)|nie (?:odpowiada|mo[żz]na|uda[łl]o|jest dost[ęe]pn\\w*)|neodpov[íi]d[áa]|nelze|nedostupn\\w*|nepoda[řr]ilo|nem (?:v[áa]laszol|siker[üu]lt|[ée]rhet[őo])|yan[ıi]t verm\\w*|kurulamad\\w*|ba[ğg]lan[ıi]lamad\\w*|ula[şs][ıi]lamad\\w*|ne odgovara|nije dostup\\w*',
  },
]
const SOUTHERN: readonly Family[] = [
  {
    subject: 'сервер|соединени|подключ|з.єднан|підключ|връзка|διακομιστ|σύνδεσ|שרת|חיבור|الخادم|خادم|الاتصال',
    state:
      'не отвечает|недоступ|не удал|не вдал|не відповіда|не может|невозможно|неможливо|не отговаря|δεν (?:αποκρίνεται|απαντά|ήταν)|αδύνατ|אינו (?:מגיב|זמין)|לא (?:ניתן|הצליח|מגיב)|לא זמין|لا يستجيب|تعذر|فشل|غير متاح',
  },
]
const EASTERN: readonly Family[] = [
  {
    subject: '服务器|伺服器|主机|主機|连接|連接|连线|連線|サーバー?|接続|서버|연결|접속',
    state:
      '[无無]法|未能|不能|失败|失敗|没有响应|沒有回應|超时|逾時|不可达|拒绝连接|できません|できませんでした|応答(?:し|が|あり)|失敗|할 수 없|실패|응답(?:하지|이 없)|불가',
  },
]

/** Matches texts that say that the receiving host was unreachable. */
export const UNREACHABLE = anyOf([...latin(LATIN), ...southern(SOUTHERN), ...eastern(EASTERN)])
