import { anyOf, eastern, type Family, latin, southern } from './near.ts'

/** Words for time, attempts or the queue, and words for their end. */
const LATIN: readonly Family[] = [
  {
    subject:
      'queue|queued|spool|attempts?|retr(?:y|ies)|re-?tries|tr(?:y|ies|ied|ying)|delivery (?:time|window|period|deadline|interval)|time-?to-?live|ttl|lifetime|life ?time|message (?:age|lifetime)|time limit|deadline',
    state:
      'expired?|exceeded|elapsed|lapsed|ran out|run out|used up|exhausted|has closed|given up|giving up|gave up|limit (?:was |has been |is )?reached|reached without|over|too long|too old|longer than|abandoned|ended|for (?:more than |over )?(?:the past |the last )?(?:\\d+|two|three|four|five|six|seven|several|many) (?:hours|days|weeks)',
  },
  {
    subject: '(?:not|n.t|unable to|cannot|could ?n.t|impossible to|failed to|undeliver\\w+|fail\\w*|trying)',
    state:
      '(?:for|within|after|in|during) (?:more than |over )?(?:the (?:past|last|allotted|allowed) )?(?:\\d+|one|two|three|four|five|six|seven|several|many|numerous|repeated|multiple) (?:consecutive |delivery )?(?:hours?|days?|weeks?|attempts?|tries|times|retries)',
    gap: 60,
  },
  {
    subject:
      'zustell\\w*|warteschlange|verweildauer|versuch\\w*|zeit\\w*|bezorg\\w*|bezorgtijd|wachtrij|poging\\w*',
    state:
      'aufgegeben|abgelaufen|(?:über|ueber)schritten|eingestellt|abgebrochen|verstreken|verlopen|opgegeven|gestaakt|erfolglos',
  },
  {
    subject:
      "d[ée]lai|dur[ée]e|file d[’']attente|tentatives?|tiempo|plazo|cola|intentos?|mensaje|tempo|prazo|fila|tentativas|tentativi|coda|termin\\w*|termen\\w*",
    state:
      'd[ée]pass[ée]e?s?|expir[ée]e?|[ée]coul[ée]e?|[ée]puis[ée]e?s?|abandonn[ée]e?s?|agot[oóaá]\\w*|caducad[oa]|caduc[oó]|expirad[oa]|expir[oó]|expirou|esgotou|esgotad[oa]s?|scadut[oa]|esaurit[oi]|superat[oa]|expirat[aă]?',
  },
  {
    subject:
      'tid\\w*|k[öo]\\w*|fors[öo]k\\w*|levering\\w*|leverans\\w*|aika\\w*|m[äa][äa]r[äa]aika\\w*|czas\\w*|kolej\\w*|pr[óo]b\\w*|lh[ůu]t\\w*|front\\w*|s[üu]re\\w*|id[őo]\\w*|k[ée]zbes[íi]t\\w*',
    state:
      'l[öo]pt ut|utg[åa]\\w+|[öo]verskrid\\w*|overskred\\w*|udl[øo]bet|utl[øo]pt|umpeutu\\w*|ylitty\\w*|vanhentu\\w*|up[łl]yn\\w+|przekroczon\\w*|wyczerpan\\w*|vypr[šs]el\\w*|uplynul\\w*|lej[áa]rt\\w*|doldu|a[şs][ıi]ld[ıi]',
  },
]
const SOUTHERN: readonly Family[] = [
  {
    subject: 'врем[яе]|час |срок|строк|термін|очеред|черз|попыт|спроб|χρόνος|προθεσμία|זמן|מועד|مهلة|مدة',
    state: 'истек|ист[её]к|вийшов|минув|закінчи|превышен|перевищен|исчерпан|вичерпан|изтек|έληξε|פג|חלף|انته',
  },
]
const EASTERN: readonly Family[] = [
  {
    subject: '队列|佇列|投递|投遞|重试|重試|期限|時間|时间|배달|전송|시간|기한|再送',
    state: '超时|逾時|超時|过期|過期|逾期|到期|切れ|超過|超え|만료|초과',
  },
]

/** The mail system stopped trying. */
export const EXPIRED = anyOf([...latin(LATIN), ...southern(SOUTHERN), ...eastern(EASTERN)])
