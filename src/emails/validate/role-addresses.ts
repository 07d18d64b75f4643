/** Local parts that name a role instead of a person: those of RFC 2142 and others that companies use. */
const ROLES: ReadonlySet<string> = new Set(
  `
  abuse noc security postmaster hostmaster usenet news webmaster www uucp ftp info marketing sales support
  root admin administrator sysadmin devops ops operations it itsupport helpdesk help desk servicedesk service services
  customerservice customerservices customercare customersupport care clientservices techsupport technical
  contact contacts contactus kontakt contacto contatto hello hi hallo bonjour hola office reception frontdesk
  enquiries enquiry inquiries inquiry questions query ask feedback suggestions complaints
  mail email mailbox post postfach mailer mailerdaemon mailer-daemon mailing mailinglist list lists list-request listserv
  majordomo subscribe unsubscribe newsletter newsletters bounce bounces
  noreply no-reply no_reply donotreply do-not-reply do_not_reply dontreply notify notification notifications alert alerts
  updates system daemon nobody null devnull void
  billing invoice invoices invoicing accounts accounting accountspayable accountsreceivable payments payment finance
  payroll treasury buchhaltung rechnung rechnungen comptabilite facturacion facturation orders order bestellung
  booking bookings reservation reservations shipping returns refunds purchasing procurement einkauf vertrieb ventas
  verkauf shop store
  hr humanresources personal jobs job careers career recruiting recruitment recruiter hiring bewerbung bewerbungen
  legal compliance privacy gdpr dpo datenschutz copyright dmca fraud phishing spam trust security-alert
  press media presse pr publicrelations communications editor editors editorial redaktion events event
  partners partner partnerships affiliate affiliates investors investorrelations ir ads advertising
  team all everyone staff everybody group board management directors members membership volunteers
  dns registrar registry domain domains hosting ssl certificates ns nic tld
  dev developer developers engineering api apps test testing tests qa webteam webadmin web
  sekretariat secretary secretariat verwaltung direction empfang
  `
    .trim()
    .split(/\s+/),
)

/**
 * Returns whether a local part names a role. Several people often read such an address. Ignores a label after a plus
 * sign.
 * @param local as returned by parseAddress
 */
export function isRoleAddress(local: string): boolean {
  return ROLES.has((local.replaceAll('"', '').toLowerCase().split('+')[0] as string).trim())
}
