/** Domains where anyone can get a mailbox, mostly free of charge. A-labels in lower case. */
const FREE_PROVIDERS: ReadonlySet<string> = new Set(
  `
  gmail.com googlemail.com
  outlook.com outlook.at outlook.be outlook.cl outlook.cz outlook.de outlook.dk outlook.es outlook.fr outlook.hu outlook.ie
  outlook.in outlook.it outlook.jp outlook.kr outlook.pt outlook.sa outlook.sg outlook.sk outlook.co.id outlook.co.il
  outlook.co.th outlook.com.ar outlook.com.au outlook.com.br outlook.com.gr outlook.com.tr outlook.com.vn
  hotmail.com hotmail.at hotmail.be hotmail.ca hotmail.ch hotmail.cl hotmail.de hotmail.dk hotmail.es hotmail.fi hotmail.fr
  hotmail.gr hotmail.hu hotmail.it hotmail.nl hotmail.no hotmail.se hotmail.co.il hotmail.co.in hotmail.co.jp hotmail.co.kr
  hotmail.co.nz hotmail.co.th hotmail.co.uk hotmail.co.za hotmail.com.ar hotmail.com.au hotmail.com.br hotmail.com.mx
  hotmail.com.tr
  live.com live.at live.be live.ca live.cl live.cn live.co.uk live.co.za live.com.ar live.com.au live.com.mx live.com.pt
  live.com.sg live.de live.dk live.fi live.fr live.hk live.ie live.in live.it live.jp live.nl live.no live.ru live.se
  msn.com passport.com windowslive.com
  yahoo.com yahoo.at yahoo.be yahoo.ca yahoo.cl yahoo.cn yahoo.co.id yahoo.co.il yahoo.co.in yahoo.co.jp yahoo.co.kr
  yahoo.co.nz yahoo.co.th yahoo.co.uk yahoo.co.za yahoo.com.ar yahoo.com.au yahoo.com.br yahoo.com.cn yahoo.com.co
  yahoo.com.hk yahoo.com.mx yahoo.com.my yahoo.com.pe yahoo.com.ph yahoo.com.sg yahoo.com.tr yahoo.com.tw yahoo.com.ve
  yahoo.com.vn yahoo.de yahoo.dk yahoo.es yahoo.fi yahoo.fr yahoo.gr yahoo.hu yahoo.ie yahoo.in yahoo.it yahoo.nl yahoo.no
  yahoo.pl yahoo.pt yahoo.ro yahoo.se ymail.com rocketmail.com myyahoo.com
  aol.com aol.co.uk aol.de aol.fr aol.it aim.com netscape.net
  icloud.com me.com mac.com
  proton.me protonmail.com protonmail.ch pm.me
  tutanota.com tutanota.de tutamail.com tuta.io tuta.com keemail.me
  fastmail.com fastmail.fm fastmail.net hey.com hushmail.com zoho.com zohomail.com zohomail.eu zohomail.in runbox.com posteo.de
  posteo.net mailbox.org mailfence.com disroot.org riseup.net startmail.com
  mail.com email.com usa.com consultant.com europe.com engineer.com post.com dr.com asia.com iname.com myself.com
  writeme.com techie.com cheerful.com inbox.com lycos.com excite.com juno.com netzero.net
  gmx.com gmx.de gmx.net gmx.at gmx.ch gmx.eu gmx.fr gmx.us gmx.co.uk gmx.org web.de freenet.de t-online.de arcor.de
  online.de mail.de email.de 1und1.de vodafonemail.de
  bluewin.ch hispeed.ch aon.at chello.at
  orange.fr wanadoo.fr free.fr laposte.net sfr.fr neuf.fr bbox.fr numericable.fr club-internet.fr aliceadsl.fr
  libero.it virgilio.it alice.it tin.it tiscali.it inwind.it iol.it email.it fastwebnet.it poste.it
  telefonica.net terra.es ono.com
  sapo.pt mail.pt
  ziggo.nl kpnmail.nl planet.nl home.nl hetnet.nl casema.nl upcmail.nl xs4all.nl
  telenet.be skynet.be proximus.be
  btinternet.com btopenworld.com sky.com talktalk.net virginmedia.com ntlworld.com blueyonder.co.uk tiscali.co.uk
  eircom.net
  telia.com spray.se bredband.net comhem.se online.no start.no jubii.dk ofir.dk kolumbus.fi luukku.com suomi24.fi
  wp.pl o2.pl onet.pl onet.eu op.pl interia.pl interia.eu poczta.fm poczta.onet.pl gazeta.pl tlen.pl vp.pl
  seznam.cz email.cz centrum.cz atlas.cz volny.cz post.cz post.sk azet.sk zoznam.sk centrum.sk
  freemail.hu citromail.hu indamail.hu abv.bg mail.bg dir.bg
  mail.ru bk.ru inbox.ru list.ru internet.ru yandex.ru yandex.com yandex.by yandex.kz yandex.ua ya.ru rambler.ru
  ukr.net i.ua meta.ua bigmir.net tut.by
  inbox.lv mail.ee hot.ee one.lt
  otenet.gr in.gr walla.co.il walla.com 012.net.il bezeqint.net mynet.com mail.com.tr
  qq.com foxmail.com 163.com 126.com 139.com 189.cn yeah.net sina.com sina.cn sohu.com aliyun.com 21cn.com vip.qq.com
  vip.163.com wo.cn tom.com
  naver.com hanmail.net daum.net nate.com kakao.com
  docomo.ne.jp ezweb.ne.jp softbank.ne.jp i.softbank.jp au.com nifty.com goo.jp excite.co.jp
  pchome.com.tw hinet.net seed.net.tw
  rediffmail.com rediff.com indiatimes.com sify.com in.com
  uol.com.br bol.com.br terra.com.br ig.com.br globo.com globomail.com r7.com oi.com.br
  prodigy.net.mx fibertel.com.ar arnet.com.ar ciudad.com.ar speedy.com.ar
  comcast.net verizon.net att.net sbcglobal.net bellsouth.net pacbell.net ameritech.net cox.net charter.net
  spectrum.net earthlink.net mindspring.com optonline.net optimum.net frontier.com windstream.net centurylink.net
  roadrunner.com rr.com cs.com
  sympatico.ca bell.net rogers.com shaw.ca telus.net videotron.ca cogeco.ca eastlink.ca
  bigpond.com bigpond.net.au optusnet.com.au iinet.net.au tpg.com.au internode.on.net xtra.co.nz slingshot.co.nz
  webmail.co.za mweb.co.za telkomsa.net vodamail.co.za
  `
    .trim()
    .split(/\s+/),
)

/** @param domain A-label in lower case */
export function isFreeProvider(domain: string): boolean {
  return FREE_PROVIDERS.has(domain)
}
