import { anyPhrase } from '../../lib/text/phrases.ts'
/** Delay warnings in other languages: delivery is late and continues. */
export const DELAYED_ABROAD = anyPhrase(
  /noch nicht (?:zugestellt|ausgeliefert|(?:ü|ue)bermittelt)/iu,
  /zustell\p{L}* (?:ist |wurde |wird )?(?:verz(?:ö|oe)gert|fortgesetzt)/iu,
  /verz(?:ö|oe)gerte zustellung/iu,
  /weitere zustellversuche/iu,
  /pas encore (?:[ée]t[ée]|pu [êe]tre) (?:remis|livr|distribu|d[ée]livr)/iu,
  /(?:remise|livraison|distribution) (?:est |a [ée]t[ée] )?(?:diff[ée]r|retard)[ée]e/iu,
  /(?:serveur|syst[èe]me) (?:va r[ée]essayer|r[ée]essaiera)/iu,
  /(?:a[uú]n|todav[ií]a) no (?:se )?(?:ha|pudo) (?:podido |sido )?entreg/iu,
  /entrega (?:est[aá] |fue )?(?:retrasada|demorada|aplazada)/iu,
  /seguir[aá] intentando/iu,
  /non [eè] (?:stato )?ancora (?:stato )?(?:consegnat|recapitat)/iu,
  /consegna (?:[eè] )?(?:ritardata|rinviata)/iu,
  /ainda n[ãa]o (?:foi|p[oô]de ser) entregue/iu,
  /entrega (?:foi )?(?:atrasada|adiada)/iu,
  /nog niet (?:bezorgd|afgeleverd)/iu,
  /bezorging (?:is )?(?:vertraagd|uitgesteld)/iu,
  /(?:[äa]nnu|endnu|enn[åa]) (?:inte|ikke) (?:levere|kunnat|kunnet|blitt|blevet)/iu,
  /leverans\p{L}* (?:[äa]r )?f[öo]rsenad/iu,
  /levering\p{L}* (?:er )?forsinket/iu,
  /jeszcze nie (?:zosta[łl]\p{L}* )?dor[ęe]czon/iu,
  /op[óo][źz]nion\p{L}* dor[ęe]cz/iu,
  /hen[üu]z teslim/iu,
  /ещ[её] не (?:был\p{L}* )?доставлен/iu,
  /доставк\p{L}* (?:письма |сообщения )?(?:отложена|задержана|задерживается)/iu,
  /попытки доставки (?:будут продолжены|продолжаются)/iu,
  /ще не доставлен/iu,
  /(?:配信|配送|送信|配達)が?遅延/iu,
  /まだ(?:配信|配達|送信|送達)(?:され|でき)/iu,
  /(?:投递|投遞|发送|傳送)(?:已)?(?:延迟|延遲)/iu,
  /尚未(?:送达|送達|投递|投遞)/iu,
  /(?:将|將)(?:继续|繼續)(?:尝试|嘗試|重试|重試)/iu,
  /(?:전송|배달|발송)(?:이|가)? ?지연/iu,
  /아직 (?:전송|배달|전달)되지/iu,
)
/** Delivery receipts in other languages. */
export const DELIVERED_ABROAD =
  /(?<!nicht )(?<!noch )(?:erfolgreich |wurde .{0,60}?)zugestellt|(?:remis|livr[ée]|distribu[ée]|d[ée]livr[ée])e? avec succ[èe]s|entregad[oa] (?:correctamente|con [ée]xito)|consegnat[oa] (?:correttamente|con successo)|entregue com (?:sucesso|[êe]xito)|succesvol (?:bezorgd|afgeleverd)|(?:успешно доставлен|доставлено успешно)|正常に(?:配信|配達|送信)されました|(?:投递|投遞|送达|送達)成功|성공적으로 (?:전송|배달|전달)/iu
/** Words of failure that occur beside words of delivery. */
export const FAILED_ABROAD =
  /(?<!\p{L})(?:nicht|fehl\p{L}*|kein\p{L}*|pas|[ée]chec|no se|non|imposs[ií]\p{L}*|n[ãa]o|niet|ne|nie|не)(?!\p{L})|不|无法|無法|失败|失敗|ません(?!でしたら)|않|실패|없/iu
