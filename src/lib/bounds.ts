/**
 * Limits on external input (from people in Slack, services that workspaces connect to, browsers, and anyone who finds
 * our address), and on what is stored and done at a time. Sizes in bytes or characters, times in milliseconds. Input
 * over a limit is rejected, shortened or only counted. Data that goes back to a service is never shortened.
 */
export const bounds = {
  // Requests to our address.

  /** Size of a request that claims to come from Slack. */
  slackBodyBytes: 1024 * 1024,
  /** A request up to this size is read even while `unsignedBytes` is used up. */
  smallSlackBodyBytes: 64 * 1024,
  /** Total size of larger requests that are buffered at a time, because a signature can only be checked at the end. */
  unsignedBytes: 16 * 1024 * 1024,
  /** How long the head of a request, and the whole request, can take to arrive. Node's defaults are 1 and 5 minutes. */
  requestHeadMs: 10_000,
  requestMs: 20_000,
  /** The form for an API key: its size, the number of attempts, and how long its page works. */
  keyFormBytes: 10_000,
  keyAttempts: 5,
  keyPageMs: 10 * 60_000,
  /** How long a person has to sign in on a page, and then stays signed in. */
  signInMs: 10 * 60_000,
  /** How long a download link works. */
  linkMs: 10 * 60_000,
  /** How many downloads by one link can be started: each that fails writes an audit entry. */
  linkAttempts: 5,
  /** Concurrent downloads by link per person, in one process. */
  linksPerPerson: 4,
  /** Concurrent downloads by link per workspace, in one process. */
  linksPerWorkspace: 40,

  // What people enter in Slack.

  /** Recipients of one transfer: as many as the review can show. */
  recipients: 200,
  /** Files of a message, and of the messages that it forwards, that are used. */
  messageFiles: 50,
  /** Files of one transfer: as many as the form holds, staged and attached ones together. */
  files: 110,
  /** Staged files per person. */
  filesStaged: 100,
  /** Up to this number, staged files are looked up in Slack before a form shows them; more are shown as stored. */
  filesLookedUp: 20,
  /** Size of a CSV file, and how long Slack can take to send it. */
  csvBytes: 2_000_000,
  csvMs: 30_000,
  csvRows: 5_000,
  /** Length of one row of a CSV file. */
  csvRowChars: 100_000,
  /** Columns further to the right are ignored. */
  csvColumns: 100,
  /** Lengths of the fields of a contact. */
  contactChars: { email: 254, number: 40, language: 35, nick: 100, groups: 500 },
  /** File extensions in a rule: how many, and their length. */
  extensions: 200,
  extensionChars: 16,
  /** Connected accounts of a workspace. */
  desks: 20,
  /** Inbox channels, and the senders of one. */
  inboxChannels: 40,
  channelSenders: 100,
  /** Members of an inbox channel that are looked up to count its guests, and Slack calls of one job for this. */
  channelMembersChecked: 200,
  channelCheckCalls: 20,
  /** Channels that one job starts to check: posting uses the rest of Slack's limit for `conversations.info`. */
  channelChecksStarted: 4,
  /** Members that are looked up, and how long that can take, before a form is saved; the job looks up the others. */
  membersCheckedAtOnce: 10,
  membersCheckMs: 1_000,
  /** Channels whose current state a page of inbox channels reads, and how long that can take. */
  channelsShownCurrent: 20,
  channelsReadMs: 3_000,
  /** People who can approve transfers. */
  approvers: 20,
  /** People whose roles are read at once to find those who have left. Slack allows about 100 calls a minute. */
  peopleChecked: 50,
  /** Private channels that one setting names instead of people. */
  namedChannels: 5,
  adminsNotified: 20,
  /** Members of a private channel that count, and of how many channels together are cached, at about 100 bytes each. */
  membersRead: 20_000,
  membersCached: 200_000,
  /** Transfers that weren't sent, in one list. */
  unsentListed: 200,
  /** How far ahead a transfer can be planned. */
  plannedDays: 30,
  plannedPerPerson: 20,
  /** Transfers of a person that wait for approval. Each sends a message to every approver. */
  approvalsPerPerson: 10,
  /** Length of the reason for declining a transfer. */
  declineReasonChars: 500,
  /** Length of the sender's note to the approver. */
  approvalNoteChars: 300,
  /** Points of a request's checklist, their length, and the length of the message with all of them. */
  points: 20,
  pointChars: 100,
  requestChars: 3_000,
  /** Length of the reason for a pause, which everyone sees. */
  pauseReasonChars: 300,
  /** A search: its length, and the number of different words. */
  searchChars: 200,
  searchWords: 10,
  /** Pages of the history that can be viewed. */
  historyPages: 1_000,

  // What a service answers.

  /** Limits of each call of the service. A service whose tokens expire before `tokenLifeMs` needs a smaller value. */
  service: {
    /** Time from the end of a request to the headers of its answer; also how long the service can stall an upload. */
    answerMs: 60_000,
    /** Time between two chunks of a body, ours or the service's. */
    idleMs: 60_000,
    /** Time for a whole call, to the last byte of its answer. File transfers have the next four limits instead. */
    callMs: 5 * 60_000,
    /** The minimum speed: the service must move `paceBytes` in this time. Time in which it waits for us doesn't count. */
    paceMs: 60_000,
    paceBytes: 512 * 1024,
    /** Time for a whole transfer, measured like `paceMs`, plus one second for each `transferBytesPerSecond` moved. */
    transferMs: 10 * 60_000,
    transferBytesPerSecond: 32 * 1024,
    /** A token isn't used for longer than this after its last valid use. The service's default is 15 minutes. */
    tokenLifeMs: 12 * 60_000,
    /** Maximum size of the account page. */
    pageBytes: 1024 * 1024,
    /** Maximum size of a status answer and of the text of a refusal. */
    statusBytes: 64 * 1024,
    /** Maximum size of the list of uploaded files. It is parsed in one piece, which blocks the process. */
    filesBytes: 1024 * 1024,
    /** Maximum size of a list that is held in memory as a whole (contacts, inbox), including its overhead. */
    listBytes: 32 * 1024 * 1024,
    /** Maximum size of the history entries that are held in memory, including their overhead. */
    historyBytes: 32 * 1024 * 1024,
    /** Maximum size of one list entry, or one value, in an answer of any length. */
    entryBytes: 8 * 1024 * 1024,
    /** Maximum number of values in one list entry, including nested ones. */
    entryParts: 10_000,
    /** Maximum size of one text in the history or the inbox; the rest of a longer one becomes a digest. */
    textBytes: 64 * 1024,
    /** A larger answer isn't buffered while its digest is computed. If it has changed, it is requested again. */
    bufferedBytes: 256 * 1024,
  },
  /** Connections to one service, for calls and for downloads, in one process. */
  callConnections: 512,
  downloadConnections: 256,
  /** How much of a service's text is read to show one line of it. */
  serviceTextChars: 4_000,
  /** Fields on the account page that are searched for the token. */
  tokenFields: 100,
  /** Length of a file name or address on a history page; thousands of them are in memory while it is read. */
  listedTextChars: 200,
  /** History entries that wait to be sorted, and their size. */
  unsortedEntries: 1_000,
  unsortedEntryBytes: 1024 * 1024,
  /** Up to this number, the history entries similar to a transfer are remembered before it is sent; else none. */
  similarEntries: 2_000,
  /** Inbox items that are read at a time to search them. */
  inboxBatch: 200,
  /** The newest items that one read of an inbox returns; the rest is only counted. */
  inboxItems: 2_000,
  /** Stored inbox items per account of a workspace, including those that are gone. */
  inboxRows: 20_000,
  /** Items and requests that one job reminds people of; the next job continues. */
  reminders: 200,
  /** Files of an inbox item that are listed by name; the rest is only counted. */
  filesPerItem: 1_000,
  /** Size of an item's list of names: that many with 255 characters of 4 bytes. A larger list is only counted. */
  fileListBytes: 1024 * 1024,
  /** Size of an item's list of downloads: several thousand. The oldest are dropped; the audit has all. */
  downloadListBytes: 2 * 1024 * 1024,
  /** Size of an item's list of scan results: more than those of its listed files. Malware is dropped last. */
  scanListBytes: 2 * 1024 * 1024,
  /** Size of a workspace's stored inbox items, of all its accounts: 12 KB for each of `inboxRows`. */
  inboxBytes: 250_000_000,
  /** Length of a file name before it is formatted for display. */
  shownNameChars: 1_000,
  /** Files that one click on Download all queues. */
  downloadsAtOnce: 20,
  /** A received file with a longer name is listed but can't be downloaded. */
  fileNameBytes: 4_096,
  /** Size of a file without a stated length, which is buffered on disk: more than Slack accepts. */
  spooledBytes: 2_000_000_000,

  // What Slack answers.

  /** Time from the request for a file to its first byte, and the number of redirects. */
  slackFileMs: 60_000,
  slackFileRedirects: 3,
  /** Files per workspace whose first bytes one process reads at a time, for a review. */
  fileStarts: 4,
  /** Inboxes that have changed and are in memory at a time, in one process. */
  changedInboxes: 50,
  /** Cached `files.info` results; each is valid for one minute. */
  cachedFileInfos: 5_000,
  /** How long a review can take to read its snippets, which Slack limits to 1 MB each. */
  snippetsMs: 60_000,
  /** How long to retry `files.info` while Slack rate-limits it. */
  fileInfoRetryMs: 5 * 60_000,
  /** Pauses between lookups of a new file that Slack still processes: 16 seconds in all. */
  fileProcessingPausesMs: [200, 800, 2_000, 5_000, 8_000],

  // What a malware scanner answers. It belongs to the operator, but can be slow, down or replaced.

  scan: {
    /** Time to connect, and for the answer to a question about its version. */
    connectMs: 5_000,
    /** How long it can stall the relay of a file: less than `idleMs` of the service. */
    stallMs: 20_000,
    /** Time for the verdict after the last byte: more than clamd's default `MaxScanTime` of two minutes. */
    answerMs: 180_000,
    /** Length of an answer. */
    answerBytes: 1_000,
  },
  /** How many of a file's last bytes a browser gets only after the scanner's verdict. */
  heldBytes: 64 * 1024,
  /** Concurrent scans per workspace in one process. Downloads by link don't count: each person has as many of those. */
  scansPerWorkspace: 2,
  /** Concurrent scans for links per workspace: with `scansPerWorkspace`, as many as clamd's default `MaxThreads`. */
  linkScansPerWorkspace: 8,

  // What is stored, logged and shown.

  /** Size of any encrypted value before it is encrypted, except contact lists. Each kind has a lower limit. */
  storedBytes: 8 * 1024 * 1024,
  /** Size of a contact list that can be edited: 40,000 contacts of 200 bytes. Each edit stores it twice. */
  contactListBytes: 8 * 1024 * 1024,
  /** Size of the recipients of one transfer, with fields that Dropline doesn't know: 2.6 KB for each of 200. */
  recipientBytes: 512 * 1024,
  /** Encrypted values that one query reads, unless one value is larger: ten of the largest file lists. */
  readBytes: 16 * 1024 * 1024,
  /** Encrypted inbox items that one search or contact card reads: 3 KB for each of `inboxRows`. */
  searchBytes: 64 * 1024 * 1024,
  /** Length of an exported table, which is in memory as a whole. */
  exportChars: 64 * 1024 * 1024,
  /** Transfers that are in memory at once, to show them. */
  transfersListed: 50,
  /** Items taken by a person that Home lists; the rest is only counted. */
  takenOnHome: 20,
  /** How many of a person's latest transfers are searched for recent recipients, and how many are suggested. */
  recentTransfers: 30,
  recentRecipients: 10,
  /** How many active and, separately, how many of the latest ended requests are searched for those to one contact. */
  requestsSearched: 200,

  /** How many of the newest contact edits are read to find who changed a contact, and the size of their lists. */
  recentEdits: 500,
  recentEditBytes: 8 * 1024 * 1024,
  /** Length of a log line. */
  logLineChars: 20_000,
  /** Audit entries that one click searches for words, and how many are read at a time; the Older button continues. */
  auditEntriesSearched: 5_000,
  auditBatch: 100,
  /** Audit entries that are chained, verified or removed at a time. */
  entriesChained: 1_000,
  /** Problems of one chain that are listed; the rest is only counted. */
  chainProblems: 20,
  /** Length of the details of an audit entry. */
  auditChars: 400_000,
  /** Length of an error message for people; it can contain external names. */
  errorMessageChars: 3_000,
  /** Files, people or contacts that an error names. */
  namesInError: 1_000,

  // What one process does at a time.

  /** Slots for long, short and posting jobs. A workspace can't take all of them: see jobs/shares.ts. */
  longJobs: 8,
  shortJobs: 6,
  postingJobs: 16,
  databaseConnections: 20,
  /**
   * Concurrent commands, clicks and forms per workspace and per person, in a process. Suggestions have separate
   * limits of these sizes; events, and error messages for interactions over these limits, one of the first size.
   */
  interactionsPerWorkspace: 100,
  interactionsPerPerson: 10,
  /** Concurrent service calls per workspace for these interactions; file transfers don't count. */
  callsPerWorkspace: 8,
  /** Installations that a process checks with Slack per minute: all of them share the rate limit of one method. */
  installsPerMinute: 60,
  /** Total size of the contact lists that a process caches, for all workspaces. */
  cachedContactsBytes: 64 * 1024 * 1024,
  /** Hints and, separately, help texts that a process remembers as sent, so that no one gets them again at once. */
  recentlyAnswered: 10_000,
} as const;
