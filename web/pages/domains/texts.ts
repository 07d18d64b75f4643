import { plural } from '../../ui/plural.ts'

/** The texts of the domains pages. */
export const texts = {
  status: {
    captureMode: 'capture mode',
  },
  list: {
    domain: 'Domain',
    status: 'Status',
    tracking: 'Tracking',
    lastChecked: 'Last checked',
    never: 'never',
    opensAndClicks: 'Opens and clicks',
    opens: 'Opens',
    clicks: 'Clicks',
    off: 'Off',
    addADomain: 'Add a domain',
    domains: 'Domains',
    sendFromDomainsOwn:
      'You send from domains that you own and prove with DNS records. Receivers judge your mail by its domain.',
    noDomainsYet: 'No domains yet',
    addDomainSendFrom:
      'Add the domain that you send from, for example mail.example.com. Sendwright shows the DNS records to publish and checks them for you.',
    name: 'Name',
    subdomainOnlyMailKeeps: 'A subdomain only for mail keeps its reputation separate from your main domain.',
    addTheDomain: 'Add the domain',
  },
  dmarcNote: {
    none: 'None',
    receiversDeliverMailFails:
      'Receivers deliver mail that fails DMARC and send you reports. Start with this policy.',
    quarantine: 'Quarantine',
    mailFailsGoesSpam:
      'Mail that fails goes to the spam folder. Choose this once the reports show that only forged mail fails.',
    reject: 'Reject',
    receiversRejectMailFails:
      'Receivers reject mail that fails. The strongest protection against forged senders.',
    chooseStricter: 'Choose another policy or receive reports',
    policy: 'Policy',
    sendReportsTo: 'Send reports to',
    addressDailyXmlReports: 'Your address for daily XML reports. Leave empty for no reports.',
    aTxtRecordAt: 'A TXT record at',
    copyTheRecord: 'Copy record',
    publishOnlyOneRecord: 'Publish only one record: if there are two, receivers ignore both.',
    mailFromSendwrightPasses:
      'Mail from Sendwright passes DMARC with DKIM and SPF once the records above are published.',
  },
  settings: {
    saved: 'Saved.',
    settings: 'Settings',
    trackOpens: 'Track opens',
    addsTrackingPixelHtml:
      'Adds a tracking pixel to the HTML. Many mail clients load it automatically; those opens are marked as machine opens.',
    trackClicks: 'Track clicks',
    linksHtmlRedirectThrough: 'Links in the HTML redirect through this server, which records each click.',
    secondSignature: 'Second DKIM signature (Ed25519)',
    signsWithEd25519:
      'Adds a DNS record, and signs emails a second time while that record is published. Few receivers verify it.',
    tlsToReceivingServers: 'TLS to receiving servers',
    opportunistic: 'Opportunistic',
    usesTlsIfServer:
      'Uses TLS if the server offers it, as nearly all do. MTA-STS and DANE are always enforced.',
    requiredValidCertificate: 'Required, with a valid certificate',
    withoutTlsEmailsDeferred: 'Emails fail rather than go unencrypted.',
  },
  recordCard: {
    purposes: {
      DKIM: 'publishes the key that verifies your signatures',
      SPF: 'sets the return path, so that bounces come back and SPF passes',
      DMARC: 'tells receivers how to treat forged mail',
      Tracking: 'the host of tracked links and open pixels',
    },
    needed: 'required',
    recommended: 'recommended',
    type: 'Type',
    name: 'Name',
    copyTheName: 'Copy name',
    ifProviderAddsZone: (name: string) => `If your provider adds the zone itself, enter only: ${name}`,
    value: 'Value',
    copyTheValue: 'Copy value',
    inDns: 'In DNS',
    publishedCorrectly: 'Published correctly.',
    notCheckedYet: 'Not checked yet.',
    nothingPublishedName: 'Nothing is published at this name.',
    otherValuesArePublished: (count: number) =>
      plural(count, 'Something else is published:', 'Other values are published:'),
  },
  recordExport: {
    zoneFile: 'Zone file',
    cloudflare: 'Cloudflare',
    route53: 'Route 53',
    googleCloud: 'Google Cloud',
    publishAllRecordsOnce: 'Publish all records at once',
    importZoneFileDns:
      'Import the zone file at your DNS provider, or run the commands in a terminal. They never replace a record.',
    formatOfTheRecords: 'Format of the records',
    loading: 'Loading…',
    downloadZoneFile: 'Download zone file',
    copyTheRecords: 'Copy records',
  },
  provider: {
    zoneAt: (zone: string) => `The name servers of ${zone} belong to`,
    open: (name: string) => `${name}: open its DNS page`,
  },
  published: (done: number, all: number) => `${done} of ${all} published`,
  recordGroups: [
    { purpose: 'DKIM', title: 'Sign your email', note: 'Receivers verify each signature with these keys.' },
    {
      purpose: 'SPF',
      title: 'Receive bounces',
      note: 'Bounces return to a name of your domain, so that SPF passes.',
    },
    {
      purpose: 'DMARC',
      title: 'Protect against forgery',
      note: 'Tells receivers how to treat mail that forges your domain. Large providers require this record from bulk senders.',
    },
    {
      purpose: 'Tracking',
      title: 'Track opens and clicks',
      note: 'Links and the pixel use this host of your domain.',
    },
  ],
  page: {
    domains: 'Domains',
    domain: 'Domain',
    added: 'Added',
    dnsNotBeenChecked: 'DNS has not been checked yet.',
    dnsWasLastChecked: 'DNS was last checked',
    recordsToPublish: 'Records to publish',
    addRecordsDnsProvider:
      'Add these records at your DNS provider. Changes may take minutes to become visible; Sendwright checks again automatically.',
    verifiedForCaptureMode: 'Verified for capture mode',
    noEmailLeavesInstallation:
      'No email leaves this installation, so no records are needed. To deliver email, publish the records below.',
    stateTitles: {
      pending: 'Waiting for DNS records',
      failed: 'Not verified',
      temporary_failure: 'Some DNS records are missing',
    },
    stateAdvice: {
      pending:
        'Publish the records below. Sendwright checks DNS every five minutes for three days. To check at once, choose “Check now”.',
      failed: 'You cannot send from this domain. Publish the records below, then check again.',
      temporary_failure:
        'You can still send from this domain. If the records are missing for seven days, sending stops.',
    },
    allRequiredRecordsPublished: 'All required records are published.',
    dnsCheckedSomeRecords: 'DNS checked. Some records are still missing.',
    removed: (name: string) => `${name} deleted.`,
    removeQuestion: (name: string) => `Delete ${name}?`,
    noLongerSendFrom:
      'You can no longer send from this domain, and its DKIM keys are deleted. To add it again, you must publish new records.',
    removeTheDomain: 'Delete domain',
    remove: 'Delete',
    checkNow: 'Check now',
  },
} as const
