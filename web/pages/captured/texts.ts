import { plural } from '../../ui/plural.ts'

/** The texts of the captured pages. */
export const texts = {
  list: {
    messages: 'Messages',
    showMore: 'Show more',
    noSubject: '(no subject)',
    from: 'from',
  },
  files: {
    attachments: 'Attachments',
    downloadName: (name: string) => `Download ${name}`,
    truncated: 'The first 256 KB of the message.',
    messageWouldSent: 'The message as it would be sent.',
    download: 'Download',
  },
  message: {
    from: 'From',
    to: 'To',
    cc: 'Cc',
    replyTo: 'Reply-To',
    deliveredTo: 'Delivered to',
    noSubject: '(no subject)',
    viewTheEmail: 'View email',
    preview: 'Preview',
    text: 'Text',
    headers: 'Headers',
    source: 'Source',
    attachmentsCount: (count: number) => `Attachments · ${count}`,
    textOfTheMessage: 'Text of the message',
    messageDoesNotPart: 'This message does not have this part.',
  },
  page: {
    mailbox: 'Mailbox',
    captureModeNoEmail:
      'In capture mode, no email leaves this server. Messages appear here instead, one for each recipient. Account emails (invitations, password resets) are not captured: the server prints their links in its terminal and log.',
    noMessageSelected: 'No message selected',
    selectMessageSeeRecipient: 'Select a message to see it as its recipient would.',
    allMessages: 'All messages',
    messagesDeleted: (count: number) => plural(count, '1 message deleted.', `${count} messages deleted.`),
    emptyQuestion: 'Empty mailbox?',
    all: 'All',
    allCount: (count: string) => `All ${count}`,
    capturedMessagesTeamDeleted: (word: string) =>
      `${word} captured messages of this team are deleted. The emails and their events are kept.`,
    emptyMailbox: 'Empty mailbox',
    emptyTheMailboxText: 'Empty mailbox',
    thisInstallationDeliversEmail: 'This installation delivers email',
    messagesCapturedOnlyIf:
      'Messages are captured only if SENDWRIGHT_DELIVERY is “capture”. Sent emails are listed under Emails.',
    theMailboxIsEmpty: 'The mailbox is empty',
    sendATestEmail: 'Send test email',
    sendEmailAnyAddress:
      'Send an email to any address. Its messages appear here, as the recipients would see them.',
  },
} as const
