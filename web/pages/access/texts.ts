/** The texts of the access pages. */
export const texts = {
  frame: {
    backToLogin: 'Back to login',
  },
  noOwner: {
    noAccountsYet: 'No accounts yet',
    createFirstAccountLink:
      'Create the first account with the link that this server printed when it started.',
    findLinkOutputServers: 'Find the link in the output of the server’s start. It ends in',
    worksOnceWithinHour: 'and works once, within an hour.',
    ifLinkLostExpired: 'If the link is lost or has expired, print a new one on the server:',
    openLinkBrowser: 'Open the link in this browser.',
    checkAgain: 'Check again',
  },
  passwordStep: {
    email: 'Email',
    password: 'Password',
    logIn: 'Log in',
    or: 'or',
    logPasskey: 'Log in with a passkey',
  },
  secondStep: {
    factors: {
      totp: {
        title: 'Enter your code',
        description: 'Enter the six digits that your authenticator app shows for Sendwright.',
        link: 'Use the authenticator app',
      },
      passkey: {
        title: 'Use your passkey',
        description: 'Your browser asks for your fingerprint, face, PIN or security key.',
        link: 'Use a passkey',
      },
      recovery_code: {
        title: 'Enter a recovery code',
        description: 'Enter one of the codes that you saved at setup. Each code works once.',
        link: 'Use a recovery code',
      },
    },
    logAnotherUser: 'Log in as another user',
    code: 'Code',
    recoveryCode: 'Recovery code',
    logIn: 'Log in',
    useYourPasskey: 'Use your passkey',
  },
  singleSignOn: {
    logInWith: (label: string) => `Log in with ${label}`,
  },
  loginPage: {
    notices: {
      ended: 'You are logged out.',
      reset: 'Your new password is set. Log in with it.',
      left: 'Your session has ended. Log in to continue where you left off.',
    },
    problems: {
      sso_expired: 'This login took too long, or started in another browser. Start again.',
      sso_limited: 'Too many logins came from your network. Try again in a minute.',
      sso_denied: 'The login provider rejected the login, or you canceled it.',
      sso_unavailable: 'The login provider does not respond. Try again in a moment.',
      sso_failed:
        'The response of the login provider was not valid. Try again; if it happens again, ask your operator.',
      sso_no_address:
        'Your account at the login provider has no verified email address that is allowed here. Ask your operator.',
      sso_no_access:
        'You are logged in at the login provider, but none of your groups has access here. Ask your operator.',
      sso_taken: 'Another person uses the account with your email address. Ask your operator.',
    },
    logIn: 'Log in',
    forgotYourPassword: 'Forgot your password?',
    or: 'or',
  },
  deadLink: {
    openYourLinkAgain: 'Open your link again',
    linkNoLongerValid: 'This link is no longer valid',
    pageRemovesSecretFrom: 'The page removes the secret from the address at once, so it cannot be reloaded. ',
    goLoginPage: 'Go to the login page',
  },
  welcomePage: {
    serverPrintsNewLink:
      'The server prints a new link at every start until the first account exists. If someone has already created it, ask them to invite you.',
    welcomeToSendwright: 'Welcome to Sendwright',
    createFirstAccountBecome:
      'Create the first account. You become the owner of the first team and an operator of this installation.',
    iAlreadyAccount: 'I already have an account',
    createMyAccount: 'Create my account',
    yourName: 'Your name',
    email: 'Email',
    youLogInWith: 'You log in with it.',
    teamOptional: 'Team (optional)',
    nameTeamChangeLater: 'The name of your team. You can change it later.',
  },
  describeInvitation: {
    youWereInvited: 'You were invited',
    invitedYou: 'invited you',
    toThisTeamAs: (role: string) => `to this team as ${role}.`,
  },
  join: {
    joinName: (name: string) => `Join ${name}`,
    theAddress: 'The address',
    hasAccount: 'has an account. Log in to it to join.',
    youAreLoggedIn: 'You are logged in as',
    joinTheTeam: 'Join team',
    theInvitationIsFor: 'The invitation is for',
    butLogged: ', but you are logged in as',
    logOutUseOther: 'Log out and use the other account',
  },
  joinAsNew: {
    joinName: (name: string) => `Join ${name}`,
    email: 'Email',
    youLogInWith: 'You log in with it.',
    yourName: 'Your name',
    createMyAccountJoin: 'Create my account and join',
  },
  invitationPage: {
    invitationsWorkOnceWithin:
      'Invitations work once, within an hour. Ask the person who invited you for a new one.',
    youAreInvited: 'You are invited',
  },
  forgotPage: {
    forgotYourPassword: 'Forgot your password?',
    enterAddressLogServer:
      'Enter the address that you log in with. This server captures mail, so it prints the reset link in its terminal and log.',
    enterAddressLogIf:
      'Enter the address that you log in with. If it has an account, we send it a link to set a new password.',
    serverCapturesMailIf:
      'This server captures mail. If this address has an account, the server printed a link in its terminal and log. The link works once, within an hour.',
    ifAddressAccountLink:
      'If this address has an account, a link is on its way. It works once, within an hour. If no email arrives, ask an operator of this server to create a link.',
    email: 'Email',
    sendTheLink: 'Send the link',
  },
  resetPage: {
    resetLinksWorkOnce: 'Reset links work once, within an hour. Request another one on the login page.',
    setANewPassword: 'Set new password',
    newPasswordLogsOut: 'A new password logs out all browsers that use your account.',
    newPassword: 'New password',
    setThePassword: 'Set password',
  },
  deviceDone: {
    loginRejected: 'Login rejected',
    commandLineNoAccess: 'The command line has no access.',
    goToTheDashboard: 'Go to the dashboard',
    loginConfirmed: 'Login confirmed',
    goBackTerminalClose: 'Go back to your terminal. You can close this page.',
    goApiKeys: 'Go to the API keys',
    commandLineUsesApi: 'The command line uses the API key',
    revokeKeyEndAccess: '. Revoke the key to end its access.',
  },
  confirmDevice: {
    apiKeys: 'API keys',
    commandLineOn: (clientName: string) => `Command line on ${clientName}`,
    confirmThisLogin: 'Confirm this login',
    requested: 'Requested',
    by: 'by',
    fromIpAddress: (ipAddress: string) => `from ${ipAddress}.`,
    code: 'Code',
    confirmOnlyIfStarted:
      'Confirm only if you started this login yourself and your terminal shows this code.',
    otherNetwork:
      'This program is on a different network from your browser. If you did not start it there, reject this login.',
    cannotCreateApiKeys: 'cannot create API keys. Ask an admin or owner of your team to confirm this login.',
    rejectLogin: 'Reject login',
    confirmLogin: 'Confirm login',
    team: 'Team',
    nameApiKey: 'Name of the API key',
    permission: 'Permission',
    everything: 'Everything',
    allCommands: 'All commands.',
    sendOnly: 'Send only',
    onlyEmailsSendEmails: 'Only emails send and emails get.',
    expires: 'Access ends',
    lifetimes: [
      { value: '90', label: 'After 90 days' },
      { value: '365', label: 'After a year' },
      { value: '', label: 'Never, until the key is revoked' },
    ],
  },
  devicePage: {
    confirmCommandLineLogin: 'Confirm a command line login',
    enterCodeTerminalShows: 'Enter the code that your terminal shows. Codes work for ten minutes.',
    code: 'Code',
    noPendingLoginCode: 'No pending login has this code. It may have expired: run the command again.',
    continue: 'Continue',
  },
  enterPage: {
    loginLinksWorkOnce: 'Login links work once, within an hour. Ask your operator for another one.',
    logIn: 'Log in',
    linkLogsOnce: 'This link logs you in once.',
  },
} as const
