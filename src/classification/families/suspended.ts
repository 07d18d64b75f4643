import { anyOf, eastern, type Family, latin, southern } from './near.ts'

/** Words for a mailbox or its owner, and words for locked, disabled or dormant: it may come back. */
const LATIN: readonly Family[] = [
  {
    subject: '(?<!your )(?:account|mail ?box|inbox|user|recipient|addressee|subscriber|customer)',
    state:
      '(?:suspended|frozen|locked(?! by another)(?! out)|dormant|hibernat\\w+|on hold|put on hold|barred|blocked (?:for|due to|because of|by the (?:administrator|provider|operator)|by (?:its|their) provider|until|from receiving)|out of service|taken offline|switched off|turned off|non-?payment|unpaid|temporarily (?:closed|disabled|inactive|blocked)|no longer (?:enabled|activated)|not (?:been )?(?:enabled|activated))',
  },
  {
    isCompound: true,
    subject: '(?:postfach|konto|mailbox|account|benutzer|empf(?:ä|ae)nger|gebruiker|postbus|ontvanger)s?',
    state:
      'gesperrt|deaktiviert|stillgelegt|inaktiv|ausgesetzt|eingefroren|abgeschaltet|geblokkeerd|geblokeerd|uitgeschakeld|gedeactiveerd|opgeschort|vergrendeld|bevroren',
  },
  {
    subject:
      'compte|bo[iî]te|adresse|messagerie|cuenta|buz[oó]n|usuario|casilla|conta|caixa|usu[aá]rio|casella|account|utente|contul|c[aă]su[tțţ]a|compte',
    state:
      'suspendue?|suspendid[oa]|d[ée]sactiv[ée]e?|bloqu[ée]e?|verrouill[ée]e?|gel[ée]e?|inactive?|desactivad[oa]|bloquead[oa]|deshabilitad[oa]|inhabilitad[oa]|congelad[oa]|suspens[oa]|desativad[oa]|inativ[oa]|sospes[oa]|disattivat[oa]|disabilitat[oa]|bloccat[oa]|congelat[oa]|suspendat[aă]?|dezactivat[aă]?|blocat[aă]?',
  },
  {
    subject:
      'konto\\w*|brevl[åa]da\\w*|postkasse\\w*|anv[äa]ndare\\w*|bruger\\w*|bruker\\w*|mottagare\\w*|modtager\\w*|mottaker\\w*|tili\\w*|postilaatikko\\w*|k[äa]ytt[äa]j[äa]\\w*',
    state:
      'sp[äa]rra[dt]\\w*|sp[äa]rrat|inaktiv\\w*|avst[äa]ng\\w*|sp[æa]rret|deaktiver\\w*|suspender\\w*|sperret|suljettu|lukittu|poistettu k[äa]yt[öo]st[äa]|j[äa][äa]dytetty',
  },
  {
    subject:
      'kont[oa]\\w*|skrzynk\\w*|u[żz]ytkownik\\w*|odbiorc\\w*|[úu][čc]e?t\\w*|schr[áa]nk\\w*|u[žz]ivatel\\w*|ra[čc]un\\w*|fi[óo]k\\w*|postafi[óo]k\\w*|hesa[bp]\\w*|kullan[ıi]c[ıi]\\w*',
    state:
      'zablokowan\\w*|zawieszon\\w*|wy[łl][ąa]czon\\w*|dezaktywowan\\w*|nieaktywn\\w*|zablokov[áa]n\\w*|pozastaven\\w*|deaktivov[áa]n\\w*|neaktivn\\w*|blokiran\\w*|suspendiran\\w*|f[üu]ggesztve|felf[üu]ggeszt\\w*|letilt\\w*|z[áa]rolt\\w*|zarolva|ask[ıi]ya al[ıi]n\\w*|engellen\\w*|kapat[ıi]lm[ıi][şs]|devre d[ıi][şs][ıi]|dondurul\\w*',
  },
]
const SOUTHERN: readonly Family[] = [
  {
    subject:
      'ящик|аккаунт|акаунт|пользовател|уч[её]тн\\S+ запись|обліковий запис|користувач|скриньк|профил|λογαριασμ|חשבון|תיבת|الحساب|حساب',
    state:
      'заблокирован|заблокован|отключ[её]н|вимкнен|приостановлен|призупинен|деактивирован|деактивован|неактив|заморожен|блокиран|спрян|αναστ[αέ]λ|απενεργοποι|κλειδωμ|מושעה|הושעה|חסום|נעול|מושבת|معلق|موقوف|معطل|محظور',
  },
]
const EASTERN: readonly Family[] = [
  {
    subject:
      '邮箱|郵箱|信箱|[帐账帳][号號户戶]|用户|用戶|使用者|アカウント|メールボックス|アドレス|利用者|ユーザー?|계정|메일함|사용자',
    state:
      '冻结|凍結|禁用|停用|锁定|鎖定|停權|封禁|被封|暂停|暫停|挂起|停止|無効化|利用停止|休止|ロック|정지|휴면|잠겨|잠김|비활성|차단되',
  },
]

/** Matches texts that say that the mailbox is locked or disabled. */
export const SUSPENDED = anyOf([...latin(LATIN), ...southern(SOUTHERN), ...eastern(EASTERN)])
