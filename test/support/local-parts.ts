/**
 * Real-world local parts of people and companies. Most of the names are not in the corpus of the classifier. Typed
 * manually, in many languages, with the habits that look most like noise: initials, dropped vowels, birth years,
 * telephone numbers, staff and student numbers, leet.
 */
export const REAL_LOCAL_PARTS: readonly string[] = `
bartholomew theodora.finch jgutierrezm m.kowalewska wszczesny p.grzybowski krzysztofbrzeczyszczykiewicz brzeczek
szczygiel.marta zdzislaw.hrynkiewicz wlodzimierz vlk strnad.jiri zdenka.srnkova hrbacek krejcirik.ondrej smrz prchal
mghebrishvili tskhvitaria ghvinjilia llewellyn llyr.gwynedd cwm.rhondda eoghan.macdhonnchadha caoimhe.niccionnaith siobhanmcgrath
hjaltisigurdsson thorbjorgg gudrunbjork ragnheidurjons thrainn bjrk kjrsten.dahl hvistendahl skjoldborg
nguyenthuyduong phamquocviet tranthingochuyen ngvanduc huynhthanhphat duongqh thuytlt xuqinghua zhengxiuying qiuxuefeng
lvxiaoyu jzhang88 cxzhou wxq1987 ljwang yqhu zhxu hsuehchinglin ngwaikwong kwokkeung tsangmc cwchan
oyelaran.babatunde chimamanda.nwosu nwachukwu uchechukwu.eze mmabatho ntombifuthi sibusisiwe.mthembu thabo.mkhwanazi
nkrumah.kwabena ngugiwathiongo wanjiru.kh achieng.otieno tsvangirai.m mpho.tshivhase
venkataramanasubramanian thiruvananthapuram.office krshnmrthy gsrinivasmurthy jyotsna.bhatt ddeshpande vvslaxman rkmishra1972
chitrakshi.d psychodrhythm mrsgupta anbazhagan.pk
abdelkrim.bouzid mustaphaelidrissi khaldounalsharif fatimazahraa mhdalhashimi ghassanqabbani noorulhudaa abubakrsiddiq
yitzchakgreenblatt shlomotzvi.r tzipi.hershkovitz
schwarzschmidt k.pfannschmidt ruthschlatterer wschultzejena hschwenk angstschrei rechtschreibung strumpfhose.shop
borschtsch dietzsch.k fritzschek herbstmeyer lichtblick knutschfleck
dvoretsky.v shchedrin.mikhail zhdanovich pyotrtchaikovsky schtscherbakow khrushchevn evgeniypo lyudmilas mstislavrr
hrvojebrkljacic crnogorac.srdjan vrhovac.grgur krkic.m trbojevic ljiljanacvetkovic
gyorgydozsa szekelyhidi.k nyikos.zs csikszentmihalyi kszabolcs nagykrisz
yrjonen.t hyvarinenjp rytkonen.pekka ylitalok tyynekyrki
goncalves.jr guimaraesthiago joaoxavierneto rsqueira jmsfg queirozxavier
mtzhdez.jorge rdzgarcia hdzmtz chrstn.lpz vazqueznxt echeverriaz.ixchel xochiquetzal tlatelolco nahuatlxoloitzcuintli
jbpoquelin fxlemoine mlle.hauteclocque rgthibaudeau jyduclos pschtroumpf
d.vandenbroucke wvdheijden jvdbrink gijsbrechts tjschreuder sjoerddijkstra ijsbrand.w hjmschrijver
pettersson.bjrn gsvenningsson andrhe08 mkjeldsberg
rhythm.nights lynxcryptsync myrrh.gypsy bbqking txrangers nycdj dkny.fan jrrtolkien tvsmith mkbhd wbgames bmwclub nflfan xbox360fan
psvr4life sgtpepper mrbrightside drwho mrswhiskers pjharvey rpgamer gtrdrv cpg.books hgtvshows kpmgcareers
mcdnld pwrlftr strngthcoach blckbrry smthng wrldtrvlr mnmlst xtrm.sports
john.smith.1984 maria1990 k.jensen2 a.b jd j.d jfk rbg js1975 abc123 mike007 anna-lena jean-luc.picard o.reilly mary_jane
u123456 s1234567 e012345 a1b stu20231145 emp00412 m19860412 b2bsales web2print 4everyoung 2fast4u l8rgator gr8deals j0hn 5starhotel
c3po r2d2 mp3store h2o.filters co2neutral k9unit w3schools f1fan g20summit 3dprinting a2z.services 24x7support v8engine ps5gamer m8trix
13800138000 79161234567 491701234567 20010911 007 42 123 1234567890
newsletter+spring hello+kjhgfd ann+8f3a9c2e71 shop.orders+20240131 info-berlin sales_emea no-reply
team-qa devops.eu qasupport hrdept itsupport ctosoffice cfo.office ceo vp.engineering pr
postmaster webmaster hostmaster abuse.desk bounce-handler
asdrubal.m wertheimer qwestcustomer tyrrell uiopera zxspectrum asda.orders fghanam dfgroup hjklvim sdfoundation rewterminal
aaaauto zzztop ooooscar lalala bobobo coco.chanel dada mimi kiki hahaha xoxo papapa tintin tamtam chachacha
jose.maria.a.de.la.cruz a.very.long.name.with.many.parts maximilianalexanderfriedrich supercalifragilistic
pneumono donaudampfschiff.kg kindergartenstrasse
`
  .trim()
  .split(/\s+/)

/** Unpronounceable local parts: keyboard rows, hexadecimal, base36, UUIDs, random letters. */
export const RANDOM_LOCAL_PARTS: readonly string[] = `
asdf asdfg asdfgh asdfghjkl asdasd asdasdasd asdfasdf qwer qwerty qwertyuiop qwerty123 qweqwe qweasd qweasdzxc zxcvbn zxcvbnm
zxczxc 1qaz2wsx qazwsx qazwsxedc lkjhgfdsa poiuytrewq mnbvcxz hjklhjkl fghfgh dfgdfg sdfsdf jkljkl uiopuiop asd123asd asdf1234
dsfsdfsdf sdfsdfsdf gfhfghfgh ghjghjghj fdsafdsa lkjlkj wqeqwe aaaaaa xxxxxxx zzzzzzzz qqqqqq
xkjhfqwz sdkjfhskdf kjsdhfkjh lkjsdflkj wqpoeiru zmxncbv skdjfhgk dkfjghdkfj qlwkejrh vbnmcxzl hgfjdkslq fjdkslaqp ghtyrueiwo
xzcvqwlkj bvncmxqp jhgkfdpq pqowieurt zqxjvkw vxqzkjw wxkcvbqz tgbnhyujm rfvtgbyhn plmoknijb
d41d8cd98f00b204e9800998ecf8427e 5f4dcc3b5aa765d61d8327deb882cf99 e3b0c44298fc1c14 a94a8fe5ccb19ba6 0cc175b9c0f1b6a8
9f86d081884c7d65 8f14e45fceea167a 3c59dc048e885024 deadbeef00c0ffee a3f8c2e9 7b2e9f1c 4e8a1d6b f0e1d2c3b4a5 c4ca4238a0b9 b6d767d2f8ed
550e8400-e29b-41d4-a716-446655440000 6ba7b810-9dad-11d1-80b4-00c04fd430c8 f47ac10b-58cc-4372-a567-0e02b2c3d479
01h455vb4pex5vsknk084sn02q 01arz3ndektsv4rrffq69g5fav cjld2cjxh0000qzrmn831i7rn ckopqwooh000001la8mbi2im9
k3j9x0q2m7 x7gk2pqz zq83hd92ks p0o9i8u7y6 h4k2l9x8w3 m1n2b3v4c5 8sj2k1l0dp 3f9xq7w1zk q1w2e3r4t5 q1w2e3r4 a1s2d3f4 z1x2c3v4b5
1q2w3e4r 1q2w3e4r5t t5r4e3w2q1 u8h3k1p9q2 r7t2y9b4n6 vk29xz81qw jf83hg72kd w9e8r7t6y5 n5b8v2c9x1 g6h2j8k4l0 2b7c9d1e5f
xqzvtkpl wbqkzrtm vqhxkdpz nrtqwkzx qjxvwzkb zkxqwvjh fqgxzmwp kzqpvxtr hxqzwvbn ptkxqzvw bvxzqkjw mzqxkvwd tqzjxkvp gqxkzvrw
wvzqxkhjt rxqtzkvbw jqzkxvwpm cxqvzkjtn lqzxvkwrb dqxzjkvwt fzqkxjvwh kqxzvwjtp zvxqkwjrb
`
  .trim()
  .split(/\s+/)

/**
 * A second list, after which the thresholds were widened once: names as above, and abbreviations of companies,
 * schools, clubs and offices, which are unpronounceable.
 */
export const ABBREVIATED_LOCAL_PARTS: readonly string[] = `
zbyszko.trzebiatowski mszczonow przybylski.grzegorz chrzaszcz wstrzemiezliwy bzdyl rzeszow.pks krzyzanowska.b szczawnica jblkowski
dzhangir.kh tkhruslov smshchukina vkontakte.wzor zvjezdana.crnkovic prpic.vjekoslav hrvatska.vrpolje mjhjorth kvigstad.hfr bjorgvin.thrastarson
stjepandjokic tgwilliamsfhd rhysllwgwyn cwmbranrfc ysgolgyfun gruffyddllyr phlegmhunter crwthplayer nthngspcl blvdkng wndrlst.co frndlytrvl bklynbrwr
mddrnart hrhprincess mttwthrs jchtmnn mjmccwtr hvpham ptkhoa nguyetanhtrk tdqthinh ltkngan.hcmus xnzhao qwzhang zjcheng zqxie gzxtc yjxu xxzhang lxyqz
ghfkorea kdhwang mjkwak hwangbyungkyu sngwoo.jg jihyechoe ryuunosuke kyuusaku.t tsutsumi.fmy shinnosuke.h nwankwokanu ihuoma.nkwdr mbongeni.ngcobo nqobile.xh
xolani.mqhayi gcinabakho tlhalefang kgalalelo.rm mmusimaimane sjsvensk fjordhest hgfredriks rkjdesign pcgtechsupport dtwfilms bhpbilliton wpvfundraise sfgthomas
vwgolfgti hkmlaw.office rbtlandscaping ccsdschools mntbkr.kjell drkpsharma mrbrchdry ndtvdesk bsnlchd jkcement vvgnli.noida tnpsc.exam ugcnetjrf
kvkhdhltd hdfcbankltd sbpdcl.patna kptcl.hubli mgnregs.cg chhattisgarh.cmo jharkhandgovt brgykagawad lptxsales qldhealth nswrfs wgtnnz gdplgroup
schlzngrsff fwpschmidt dwdl.magazin kfzwerkstatt bwhsurgery agbsckw ctbtreaty fcbvbfan bvbdortmund vflbochum fcstpauli1910 gvbtickets nrwjusos
mjrdvs.c lgbtqcenter dmvnow.ca hrblock ymcakc lsdchq rptrhd wxyzradio abcdefg abcdefghij qrstuv.tech lmnop xyzzy zyxwvut fghijklmn
`
  .trim()
  .split(/\s+/)
