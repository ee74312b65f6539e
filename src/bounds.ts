/** What a stranger can send, and how much of it is taken. */
export const bounds = {
  /** Of a file name, before anything is made of it to be shown. */
  shownNameChars: 1_000,
  /** A received file with a longer name is listed and can't be downloaded. */
  fileNameBytes: 4_096,
  /** Downloads by link that a person has at a time, in one process. */
  linksAtOnce: 4,
  /** The same for all people of a workspace. */
  linksOfWorkspace: 40,
  /** Of a request that says it comes from Slack. */
  slackBodyBytes: 1024 * 1024,
  /** A request up to this size is always read. */
  smallSlackBodyBytes: 64 * 1024,
  /** Of larger requests that are being read at a time, before their signature can be checked. */
  unsignedBytes: 16 * 1024 * 1024,
  /** Of a text in which the service says something, before a line of it is shown. */
  readWordsChars: 4_000,
  /** Of one row of a CSV file. */
  csvRowChars: 100_000,
  /** Columns further to the right are ignored. */
  csvColumns: 100,
  /** Of a line of the log. */
  logLineChars: 20_000,
  /** Of what the audit keeps of one act. */
  auditChars: 400_000,
  /** Of a sentence that tells a person what failed; it may name what strangers have named. */
  sentenceChars: 3_000,
  /** Files, people or contacts that an error names. */
  namesInError: 1_000,
  /** Of one text in the service's history or inbox; of a longer one the beginning and a digest of the rest are used. */
  serviceTextBytes: 64 * 1024,
  /** Values in one entry that the service lists, such as the fields of all recipients of a transfer. */
  serviceEntryParts: 10_000,
  /** Of the history entries that one reader keeps. */
  historyBytes: 32 * 1024 * 1024,
  /** Of a file name or an address on a page of the history, of which thousands are kept while it is read. */
  listedTextChars: 200,
  /** Entries of the history that wait to be sorted, and their bytes. */
  waitingDrops: 1_000,
  waitingDropBytes: 1024 * 1024,
  /** Edits of contacts that a sender is told about, the newest first, and the bytes of their sealed lists. */
  recentEdits: 500,
  recentEditBytes: 8 * 1024 * 1024,
} as const;
