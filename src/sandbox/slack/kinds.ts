/** What Slack sends to the bot. */
export const deliveryKinds = [
  'slash_command',
  'block_actions',
  'block_suggestion',
  'view_submission',
  'view_closed',
  'shortcut',
  'message_action',
  'event',
] as const;

/** Faults of a call by the bot: to the Web API, an upload, a download, or a response_url. */
export const callFaults = {
  'rate-limited': '429 with Retry-After',
  'server-error': '500, or the status that is given',
  error: '`ok: false` with the error that is given',
  hang: 'never answered; nothing is done',
  'hang-after': 'done, and never answered',
  'reset-before': 'the connection breaks; nothing is done',
  'reset-after': 'done, then the connection breaks without a byte of an answer',
  cut: 'done; the answer, such as a download, breaks off in the middle',
  delay: 'waits for `release()`, then goes on',
} as const;

/** Faults of a delivery to the bot. */
export const deliveryFaults = {
  duplicate: 'sent twice at the same time',
  repeat: 'sent twice as if it had happened twice: an event with two ids, and no word of a retry',
  delay: 'sent when `release()` is called; triggers age meanwhile',
  unreachable: 'never reaches the bot',
  'late-answer': 'the bot answers in time, and Slack takes that in when `release()` is called',
  'lost-answer': 'the bot gets it and answers, but Slack does not hear the answer',
} as const;
