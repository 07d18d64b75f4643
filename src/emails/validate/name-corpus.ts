/**
 * Names and words that people use as local parts, in ASCII. Their letter pairs are the letter pairs of
 * meaningful local parts (random-input.ts). Given and family names of many languages in their usual ASCII
 * spelling, then words of trades, hobbies and companies. Written for this file from common knowledge, not
 * copied from a list. To support a language, add its names.
 */
export const NAME_CORPUS = `
aaron abdul abdullah abdulaziz abdulrahman abigail abraham ada adam adele adrian adriana agata agnes agnieszka ahmad
ahmed aisha akira alan albert alberto aleksander aleksandra alejandro alessandro alex alexander alexandra alexis alfonso
alfred ali alice alicia alina alison allen alvaro amanda amara amelia amir amit amy ana anastasia anders andre andrea
andreas andrei andrew andrzej angel angela anil anita anja anna anne annika anthony antje anton antonio anushka arjun
arnaud arthur arturo asha ashley astrid august aurelie axel ayesha barbara bartosz beatrice beatriz ben benedikt benjamin
bernard bernd bethany bianca bjorn bob bogdan boris brandon brenda brian bridget bruce bruno bryan camille carl carla
carlos carmen carol caroline caroline catherine cecilia chad charles charlotte chen cheryl chiara chloe chris christian
christina christine christoph christopher chukwuemeka chun cindy claire clara claude claudia claus clement colin connor
craig cristian cristina curtis cynthia czeslaw dagmar daisy damian dan daniel daniela danielle danny daria dario david
dawn deborah deepak deepika denis dennis derek diana diego dieter dimitri dirk dmitry dominik dominique donald donna
dorothy douglas dragan duncan dylan edith eduardo edward edwin egor ekaterina elena eleanor eleni elias elisabeth eliza
ella ellen emanuel emilia emily emma emre enrique eric erica erik erika erin ernst esther ethan eugene eva evelyn ewa
fabian fabio fabrice farid fatima federico felix ferdinand fernando filip fiona florence florian frances francesca
francesco francis francisco francois frank franz fred frederic fredrik friedrich fritz fumiko gabriel gabriela galina
gareth gary gavin george georgia gerald gerard gerhard gertrud giovanni giulia giuseppe gloria gonzalo gordon grace
graham greg gregory grzegorz guillaume gunther gustavo guy gwendolyn haakon hamza hana hanna hannah hannes hans harald
haris harold harriet harry haruki hasan hassan heather hector heidi heinrich heinz helen helena helga helmut henrik henry
herbert hermann hideo hiroshi holger holly howard hrvoje hugo hussein ian ibrahim ida igor ilse imran ines inga ingrid
irene irina iris isaac isabel isabella ivan ivana jack jackson jacob jacqueline jacques jakob jakub james jan jana jane
janet janusz jasmine jason jasper javier jay jean jeff jeffrey jennifer jeremy jerome jerry jerzy jesper jessica jesus
jill jim jin joachim joan joanna joao joe joel johan johann johannes john jonas jonathan jordan jorge jose josef joseph
joshua joyce juan judith juergen julia julian julie julien julius jun jung jurgen justin justyna kaori karen karin karl
karolina kasia katarzyna kate katharina katherine kathleen kathryn katja katrin kavya kazimierz keith kelly ken kenji
kenneth kevin khadija khalid khanh kim kimberly kirsten klaus knut krishna kristian kristin kristina krystyna krzysztof
kumar kurt kwame kyle larry lars laszlo laura lauren laurent lea lee leila lena leo leon leonard leonardo leslie lewis
liam lilian linda linh lisa ljubica ljubomir lorenzo louis louise luca lucas lucia lucy ludwig luigi luis luisa lukas
lukasz luke lydia lynn maciej madeleine magdalena magnus mahmoud maja malgorzata malik manfred manuel marc marcel marcin
marco marcos marek margaret margarita maria mariana marie marina mario marion marius mark marko markus marta martha
martin martina mary masha mateusz mathias mathieu matilda matt matteo matthew matthias maureen maurice max maxim
maximilian maya megan mehmet mei melanie melissa mia michael michal michel michele michelle miguel mihai mikael mike mikhail
milan milena milos mina minh miriam mirjana mitchell mohamed mohammad mohammed moira molly monica monika morgan morten
moritz muhammad mustafa myriam nadia nadine naomi natalia natalie natasha nathan neha neil nelson ngoc nguyen nicholas
nick nicola nicolas nicole niels nigel nikhil niklas nikola nikolai nina noah nora norbert norman nuno odile oksana
olaf ole oleg olga oliver olivia olivier omar oscar oskar otto owen pablo pamela paola paolo pascal patricia patrick
patrycja paul paula paulina pavel pawel pedro peggy peng per peter petra petros phil philip philipp philippe phillip
phuong pierre piotr pirkko prakash pranav priya przemyslaw quentin rachel radoslaw rafael rahul rainer raj rajesh ralf
ralph ramon ramona randy raphael raul ravi ray raymond rebecca regina reinhard renata renate rene ricardo richard rita
robert roberto robin rodrigo roger roland rolf roman ronald rosa rosemary roxana roy ruben rudolf russell ruth ryan sabine
sabrina saeed salma sam samantha samir samuel sandeep sandra sanjay sara sarah sascha satoshi scott sean sebastian sergei
sergey sergio shannon sharon shaun sheila shirley shreya shu sigrid silke silvia simon simone siobhan slawomir sofia
sonia sophia sophie srdjan srinivas stacy stanislaw stefan stefania stefano steffen stephan stephanie stephen steve steven
stuart sue sunil suresh susan susanne suzanne sven svetlana sylvia sylvie szymon tadeusz takashi tamara tania tanja tariq
tatiana ted teresa terry thanh theo theodor theresa thi thierry thomas thorsten tiffany tim timothy tina tobias todd tom
tomas tomasz tommy toni tony torsten tracy travis trung tuan tyler udo ulrich ulrike ursula uwe vaclav valentina valerie
vanessa vera veronica veronika vicky victor victoria vijay viktor vincent viola virginia vitaly vivek vivian vladimir
volker waldemar wally walter wanda wang wayne wei wendy werner wesley wilhelm will william wojciech wolfgang xavier
xiaoming xin yamina yan yang yannick yasmin yasuko yevgeny ying yolanda yosef yuki yuri yusuf yvan yvette yvonne zachary
zahra zbigniew zdenek zeynep zhang zhen zhong zoe zoltan zsolt zsuzsanna
abbott adams adebayo aguilar akhtar alexandrou allan almeida alvarez andersen anderson andrade andrews arslan atkinson
austin bachmann bailey baker balakrishnan banerjee barnes barros bauer baumann beck becker bell benitez bennett berg berger
bergmann bergstrom bernardi bianchi blanchard blum bogdanov bonnet borisov bowman boyd bradley braun brooks brown brunner
bryant buchanan burke burns busch butler byrne cabrera campbell cardoso carlsson carpenter carr carter castillo castro
chan chang chapman chatterjee chaudhary cheung chevalier chowdhury christensen clark clarke cohen cole coleman collins
contreras cook cooper costa cox crawford cruz cunningham czerny dalgaard davies davis dekker delgado desai diaz dietrich
dijkstra dimitrov dixon doyle dubois dumont duncan dupont duran eaton edwards eklund elliott ellis engel erdogan eriksson
esposito evans farkas farrell ferguson fernandes fernandez ferrari ferreira fischer fisher fitzgerald fleming flores foster
fournier fowler fox frank fraser freeman friedman fuchs fuentes fujimoto fuller garcia garner gauthier georgiou gibson gill
girard goldberg gomez gonzalez goodman gordon graf graham grant gray green greene griffin gross gruber gupta gutierrez guzman
haas hahn hakkinen hall hamilton hansen hansson harper harris harrison hart hartmann harvey hayes hayashi heikkinen hendriks
herman hernandez herrera hicks hill hjelm hjort hoang hoffman hoffmann holmes horvath houghton howell huang huber hudson
hughes hunt hunter huynh ibarra ishikawa ito ivanov ivanova iyer jablonski jackson jacobs jankowski jansen janssen jensen
jimenez johansen johansson johnson johnston jones jorgensen joshi jovanovic juarez kaiser kamau kaminski kapoor karlsson
kaufmann kaur keller kelley kennedy kerr khan kiefer kimura king klein knight kobayashi koch kocher koenig kohler kovacs
kowalczyk kowalski kozlov kraft kramer kraus krause kruger kuhn kulkarni kuznetsov lambert lang larsen larsson lawrence
leblanc lefebvre lehmann lemaire leroy lewandowski li lim lin lindberg lindqvist liu lloyd long lopez lorenz lowe lundgren
lynch macdonald mackenzie maier makinen marino marques marshall martin martinez mason matsumoto maurer mayer mbeki mccarthy
mcdonald mckenzie mclaughlin medina mehta meier mendoza menon mercier meyer mitra mkhize molina moore morales moreau moreira
moreno moretti morris morrison mueller muller munoz murphy murray myers nagy nair nakamura ndlovu nel nelson neumann newman
nguyen nielsen nkosi nowak nunez obrien oconnor oconnell odonnell okafor okonkwo olsen olsson oneill orlov ortega ortiz
osborne osullivan ozturk papadopoulos park parker patel paterson patterson pavlov payne pearson pereira perez perkins peters
petersen peterson petit petrov pfeiffer phillips pichler pinto popescu porter powell price quinn qureshi ramirez ramos rao
rasmussen reddy reed reid reinhardt reyes reynolds ribeiro rice richards richardson richter rivera roberts robertson
robinson rodrigues rodriguez rogers romano romero rose rosenberg ross rossi roth rousseau roux ruiz russo ryan saito
salazar sanchez sanders santiago santos sasaki sato schaefer schmid schmidt schmitt schmitz schneider scholz schroeder
schubert schulte schultz schulz schumacher schuster schwartz schwarz schweitzer seidel serrano shah shapiro sharma shaw
shevchenko silva simmons simpson singh skrzypczak smirnov smith snyder sokolov sorensen soto souza spencer srivastava stein
steiner stevens stewart stone strauss suarez sullivan sutherland suzuki svensson swanson szabo szczepanski szewczyk takahashi
tan tanaka taylor teixeira thompson thomson torres toth tran tremblay tucker turner unger urban vance vandenberg vanderwal
vargas vasquez vaughan vega verma vidal vogel voigt volkov vries wagner walker wallace wallner walsh ward warner watanabe
watson weaver weber wei weiss welch wells werner west white wieczorek wilkinson williams williamson willis wilson winkler
winter wojcik wolf wolff wong wood woods wright wu xu yamada yamamoto yang yilmaz yoshida young yu zapata zawadzki zhao
zhou zhu ziegler zielinski zimmerman zimmermann
academy account accounting active adventure agency alpha angel animal apple applications archive army artist audio auto
awesome baby backup baker band bank barista baseball basket bass beach bear beauty best beta big bike bird black blog blue
boat book box boy brand bread bridge bright broker brother bubble builder business butterfly camera candy captain car
careers castle cat catering center champion chef cherry chicken chocolate church city clean clever cloud club coach coco
coder coffee college comic company computer concert connect consulting contact cookie cool country cowboy craft crazy
creative crypto crystal customer cyber dance dark data day dealer dear delivery dental design designer desk developer devil
diamond digital direct director disco doctor dog dolphin dragon dream drive driver drummer duck eagle early earth easy
editor education electric energy engine engineer english entertainment event express family fan fantasy farm fashion fast
father feedback film finance fire fish fitness flower fly football forest forever forum fox free fresh friend fun future
galaxy game gamer garage garden ghost gift girl global gold golf good graphic great green group guitar hair hammer happy
heart heaven hello help hero hockey holiday home honey horse hotel house hunter idea industries internet island jazz job
journal joy juice jungle junk justice kid king kitchen kitty knight lady language laptop law lawyer legend letter library
life light lion little logistics london love lover lucky machine magic mail manager marathon marketing master media
medical member metal mister mobile model money monkey moon mother motor mountain mouse movie music musician nature network
newsletter news night ninja northern number nurse ocean office official online orange orders outdoor owner painter panda
paper paradise parents partner party pepper personal phone photo photography piano pilot pink pirate pixel pizza planet
player poet poker police power press prince princess private products professor project property public puppy purple queen
quick rabbit race radio rain rainbow random reader reading real records red registration rental research restaurant rider
river robot rock rocket royal runner sailor sales school science secret secure security server service shadow shark shop
silver singer sister skate sky smart smile snow soccer social software solar soldier solutions song soul sound space
special spider sport spring squad star station storm story strategy street strong student studio stuff style sugar summer
sun sunny sunshine super support surf sweet swim system tango teacher team tech technology tennis test thunder tiger time
tiny today toolbox top tourist tower trading traffic train training travel traveller tree trees truck trust turbo turtle
twin ultra uncle unique universe university user vacation vampire vanilla vegan victory video vintage viper vision voice
wander warrior water wave wealth weather web wedding welcome whisky whiskey wild wind window wine winner winter witch wizard
wolf woman wonder word work workshop world writer yellow yoga zebra zen zombie
`
