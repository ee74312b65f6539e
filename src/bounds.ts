/**
 * What strangers can send, and how much of it is taken: people in Slack, services that workspaces connect to, browsers,
 * and whoever finds our address. Sizes in bytes or characters, times in milliseconds. Beyond a bound something is refused
 * or left out in words; what is sent back to a service is never shortened.
 */
export const bounds = {
  // Requests to our address.

  /** Of a request that says it comes from Slack. */
  slackBodyBytes: 1024 * 1024,
  /** A request up to this size is always read. */
  smallSlackBodyBytes: 64 * 1024,
  /** Of larger requests that are being read at a time, before their signature can be checked. */
  unsignedBytes: 16 * 1024 * 1024,
  /** How long a request may take to come in: its head, and all of it. Node's own limits are five minutes. */
  requestHeadMs: 10_000,
  requestMs: 20_000,
  /** Of the form in which an API key is entered, how often it can be tried, and how long its page works. */
  keyFormBytes: 10_000,
  keyTries: 5,
  keyPageMs: 10 * 60_000,
  /** How long a download link works. */
  linkMs: 10 * 60_000,
  /** Downloads by link that a person has at a time, in one process. */
  linksAtOnce: 4,
  /** The same for all people of a workspace. */
  linksOfWorkspace: 40,

  // What people enter in Slack.

  /** Recipients of one transfer: as many as can be shown before it is confirmed. */
  recipients: 200,
  /** Files of one transfer: as many as the form holds, those put aside and those attached to it. */
  files: 110,
  /** Files that a person has put aside. */
  filesPutAside: 100,
  /** Staged files up to this number are looked up in Slack whenever they are shown; more are shown as they were stored. */
  filesLookedUp: 20,
  /** Of a CSV file, and how long Slack may take to send it. */
  csvBytes: 2_000_000,
  csvMs: 30_000,
  csvRows: 5_000,
  /** Of one row of a CSV file. */
  csvRowChars: 100_000,
  /** Columns further to the right are ignored. */
  csvColumns: 100,
  /** Of the fields of a contact. */
  contactChars: { email: 254, number: 40, language: 35, nick: 100, groups: 500 },
  /** Routes of incoming files to channels. */
  routes: 40,
  /** Pages of the history that can be turned. */
  historyPages: 1_000,

  // What a service answers.

  service: {
    answerMs: 60_000,
    idleMs: 60_000,
    callMs: 5 * 60_000,
    paceMs: 60_000,
    paceBytes: 512 * 1024,
    transferMs: 10 * 60_000,
    transferBytesPerSecond: 32 * 1024,
    tokenLifeMs: 12 * 60_000,
    pageBytes: 1024 * 1024,
    statusBytes: 64 * 1024,
    filesBytes: 1024 * 1024,
    listBytes: 32 * 1024 * 1024,
    historyBytes: 32 * 1024 * 1024,
    entryBytes: 8 * 1024 * 1024,
    entryParts: 10_000,
    textBytes: 64 * 1024,
    keptBytes: 1024 * 1024,
  },
  /** Connections to one service, for calls and for downloads, in one process. */
  callConnections: 64,
  downloadConnections: 256,
  /** Of a text in which the service says something, before a line of it is shown. */
  readWordsChars: 4_000,
  /** Fields on the account page among which the token is looked for. */
  tokenFields: 100,
  /** Of a file name or an address on a page of the history, of which thousands are kept while it is read. */
  listedTextChars: 200,
  /** Entries of the history that wait to be sorted, and their bytes. */
  waitingDrops: 1_000,
  waitingDropBytes: 1024 * 1024,
  /** Entries of the history that are remembered as being like a transfer before it is sent. */
  similarEntries: 2_000,
  /** Of one reading of an inbox, the newest; the rest is counted. */
  inboxItems: 2_000,
  /** Inbox items that are kept for one account of a workspace, those that are gone included. */
  inboxRows: 20_000,
  /** Of an inbox item, by name; the rest is counted. */
  filesPerItem: 1_000,
  /** Of a file name, before anything is made of it to be shown. */
  shownNameChars: 1_000,
  /** A received file with a longer name is listed and can't be downloaded. */
  fileNameBytes: 4_096,
  /** Of a file without a stated length, which is kept on the disk: more than Slack takes. */
  spooledBytes: 2_000_000_000,

  // What Slack answers.

  /** From asking for a file to its first byte, and redirects on the way. */
  slackFileMs: 60_000,
  slackFileRedirects: 3,
  /** Files whose answer of `files.info` is remembered for a minute. */
  fileLooks: 5_000,
  /** How long `files.info` is waited for while Slack takes no more calls of it. */
  fileLookWaitMs: 5 * 60_000,

  // What is kept and said of it.

  /** Edits of contacts that a sender is told about, the newest first, and the bytes of their sealed lists. */
  recentEdits: 500,
  recentEditBytes: 8 * 1024 * 1024,
  /** Of a line of the log. */
  logLineChars: 20_000,
  /** Of what the audit keeps of one act. */
  auditChars: 400_000,
  /** Of a sentence that tells a person what failed; it may name what strangers have named. */
  sentenceChars: 3_000,
  /** Files, people or contacts that an error names. */
  namesInError: 1_000,

  // What one process does at a time.

  /** Long jobs and short ones. A workspace takes another place only while more are free than it has: see jobs/shares.ts. */
  longJobs: 8,
  shortJobs: 6,
  databaseConnections: 20,
  /** Commands, clicks and forms of a workspace that a process works on at a time; and as many events. */
  visitsOfWorkspace: 100,
  /** Calls of the service that are made for them at a time; file transfers don't count. */
  callsOfWorkspace: 8,
  /** Installations that a process asks Slack about: all share the rate of one method. */
  installsPerMinute: 60,
  /** Of contact lists that a process remembers, of all workspaces together. */
  keptContactsBytes: 64 * 1024 * 1024,
  /** People whose messages to the bot were answered within the hour, who get no further answer. */
  answeredWriters: 10_000,
} as const;
