import { plural } from './plural.ts'

/** The texts of the kit. */
export const texts = {
  tables: {
    chooseAll: 'Choose all loaded rows',
    choose: (name: string) => `Choose ${name}`,
    chosen: (count: number) => `${count.toLocaleString()} selected`,
    clear: 'Clear selection',
    selected: 'Selected rows',
    columns: 'Columns',
    showColumns: 'Show columns',
    views: 'Views',
    savedViews: 'Saved views',
    noViews: 'No saved views. Save the current filters, columns and order under a name.',
    viewName: 'Name of the view',
    save: 'Save view',
    copyLink: 'Copy link to this view',
    linkCopied: 'Link copied.',
    removeView: (name: string) => `Remove view ${name}`,
    export: 'Export',
    exporting: 'Export as CSV',
    exported: (count: number) => `${count.toLocaleString()} rows`,
    exportOf: (count: number, total: number) => `${count.toLocaleString()} of ${total.toLocaleString()} rows`,
    exportBound: (max: number) =>
      `One file holds at most ${max.toLocaleString()} rows. Export the rest with narrower filters.`,
    cancelExport: 'Cancel export',
    openPage: 'Open page',
    previous: 'Previous row',
    next: 'Next row',
    close: 'Close',
    keys: '↑ ↓ next row · Esc close',
  },
  mailPreview: {
    html: 'HTML',
    text: 'Text',
    part: 'Part',
    subject: 'Subject',
    htmlPreview: 'HTML preview',
    thereNoHtmlRecipients: 'There is no HTML: recipients get only the text.',
    thereNoTextVersion: 'There is no text version: it is generated from the HTML when the email is sent.',
    textPreview: 'Text preview',
  },
  sendTest: {
    sendATestEmail: 'Send a test email',
    yourTestEmail: 'Your test email',
    sendEmailFirstNeed: 'To send email, you first need a domain:',
    addOne: 'add one',
    aTestFromSendwright: 'A test from Sendwright',
    itWorks: 'It works.',
    from: 'From',
    anyAddressVerifiedDomain: 'Any address of a verified domain, or one of your senders',
    to: 'To',
    subject: 'Subject',
    text: 'Text',
    send: 'Send',
    capturedNotSentServer: 'Captured, not sent: this server is in capture mode.',
    emailAccepted: 'Email accepted.',
    viewTheEmail: 'View the email',
    openTheMailbox: 'Open the mailbox',
    sendAnother: 'Send another',
    close: 'Close',
  },
  errorNote: {
    retryIn: (wait: number) => ` Try again in ${wait} s.`,
    tryAgain: 'Try again',
  },
  checklist: {
    passed: 'Passed',
    failed: 'Failed',
    warning: 'Warning',
    note: 'Note',
    toDo: 'To do',
    checking: 'Checking…',
    type: 'Type',
    name: 'Name',
    address: 'Address',
    value: 'Value',
    copyTheName: 'Copy the name',
    copyTheValue: 'Copy the value',
  },
  statusBadge: {
    words: {
      delivery_delayed: 'Deferred',
      canceled: 'Canceled',
    },
  },
  notifications: {
    undo: 'Undo',
  },
  clipboard: {
    browserDoesNotAllow: 'This browser does not allow pages to copy. Select the text and copy it yourself.',
  },
  copy: {
    copy: 'Copy',
    copied: 'Copied',
  },
  passwordRules: {
    atLeastCharacters: (passwordLengthMin: number) => `At least ${passwordLengthMin} characters`,
    strongerCharactersMoreMix: (goodLength: number) =>
      `Stronger: ${goodLength} characters or more, or a mix of letters, digits and symbols`,
  },
  newPassword: {
    password: 'Password',
    done: ' (done)',
    notYet: ' (not yet)',
  },
  roleWords: {
    roles: {
      owner: {
        label: 'Owner',
        summary: 'Full access; also adds, changes and removes other owners.',
      },
      admin: {
        label: 'Admin',
        summary:
          'Also manages domains, API keys, webhooks, retention, the audit log, personal data, and all members except owners.',
      },
      member: {
        label: 'Member',
        summary:
          'Sends emails; edits templates, senders, contacts, lists, segments, suppressions and campaigns.',
      },
      viewer: {
        label: 'Viewer',
        summary: 'Views everything except API keys, the request log and the audit log; changes nothing.',
      },
    },
  },
  times: {
    justNow: 'just now',
    milliseconds: (ms: number) => `${ms} ms`,
    seconds: (count: string | number) => `${count} s`,
  },
  moment: {
    hereUtc: (date: string, at: string) => `${date} here · ${at} UTC`,
  },
  confirm: {
    cancel: 'Cancel',
  },
  widgetBoundary: {
    partPageCouldNot: 'This part of the page could not be shown.',
  },
  formFooter: {
    cancel: 'Cancel',
  },
  newRows: {
    showNewRows: 'Show new rows',
  },
  dataTable: {
    showMore: 'Show more',
  },
  nameForm: {
    name: 'Name',
    create: 'Create',
    save: 'Save',
  },
  nameSelect: {
    any: 'Any',
    noResults: 'No results.',
  },
  mailHtml: {
    tooDeep: 'This email is nested too deeply to be shown.',
  },
  mailFrame: {
    phone: 'Phone',
    tablet: 'Tablet',
    desktop: 'Desktop',
    light: 'Light',
    dark: 'Dark',
    previewOfTheEmail: 'Preview of the email',
    onlyTheBeginning: 'This email is long. The preview shows the first 256 KB of its HTML.',
    width: 'Width',
    background: 'Background',
    darkModeUndeclared:
      'The email sets colours but does not declare dark mode support. Some mail clients show it unchanged; others invert its colours.',
    remoteImagesBlocked: (count: number) =>
      plural(
        count,
        '1 remote image blocked to protect privacy.',
        `${count} remote images blocked to protect privacy.`,
      ),
  },
  whenField: {
    time: 'Time',
    inYourTimeZone: (timeZone: string) => `In your time zone (${timeZone})`,
    inUtc: (date: string) => `${date} UTC`,
  },
  headerTable: {
    headerFields: 'Header fields',
  },
  listChoice: {
    lists: 'Lists',
    none: 'None',
    noResults: 'No results.',
  },
  emailStatus: {
    captured: 'Captured',
    onlySimulatorReceivedEmail: 'Only the simulator received this email. Metrics do not count it.',
    simulated: 'Simulated',
  },
  bars: {
    delivered: 'Delivered',
    deferrals: 'Deferrals',
    bounced: 'Bounced',
  },
  metricsChart: {
    barChartMetricsTable: 'Bar chart of the metrics; the table view has the same values',
    soFar: ' · so far',
  },
  series: {
    delivered: 'Delivered',
    bounced: 'Bounced',
    failed: 'Failed',
    rejected: 'Rejected',
    suppressed: 'Suppressed',
    complaints: 'Complaints',
    recipients: 'Recipients',
    deferrals: 'Deferrals',
  },
  chartSection: {
    overTime: 'Over time',
    hourly: 'Hourly',
    dailyUtc: 'Daily (UTC)',
    view: 'View',
    chart: 'Chart',
    table: 'Table',
    figuresOverTime: 'Figures over time',
    hour: 'Hour',
    day: 'Day',
  },
  providers: {
    google: 'Google (Gmail)',
    microsoft: 'Microsoft (Outlook.com)',
    microsoft_365: 'Microsoft 365',
    yahoo: 'Yahoo, AOL',
    apple: 'Apple iCloud',
    comcast: 'Comcast',
    gmx: 'GMX, WEB.DE, IONOS',
    telekom: 'Telekom',
    orange: 'Orange',
    free_sfr_laposte: 'Free, SFR, La Poste',
    yandex: 'Yandex',
    mail_ru: 'Mail.ru',
    qq_netease_sina: 'QQ, NetEase, Sina',
    proofpoint_mimecast: 'Proofpoint, Mimecast',
    simulator: 'Simulator',
    other: 'Other providers',
  },
  funnel: {
    results: 'Results',
    recipientsResultPeriod: (attempted: string) => `${attempted} recipients with a result in this period.`,
  },
  range: {
    lastDay: '24 hours',
    lastWeek: '7 days',
    lastMonth: '30 days',
    lastQuarter: '90 days',
  },
  rangeChoice: {
    time: 'Time',
    custom: 'Custom',
    firstDayUtc: 'First day (UTC)',
    lastDayUtc: 'Last day (UTC)',
  },
  sentInvitation: {
    linkWorksOnceWithin: 'The link works once, within an hour, and is shown only once:',
    copyTheLink: 'Copy link',
    done: 'Done',
    emailWay: 'An email is on its way to',
    serverCapturesMailSo:
      'This server captures mail, so it sent no email. It printed the link in its terminal and log.',
    sendwrightSentNoEmail: 'Sendwright sent no email, because no verified domain can send it.',
    giveThisLinkTo: (word: string) => `${word} Give this link to`,
    yourself: 'yourself.',
  },
  codeEditor: {
    keyboardHint: 'Tab indents; Esc and then Tab leaves the editor. {{ completes variables, Ctrl F searches.',
  },
} as const
