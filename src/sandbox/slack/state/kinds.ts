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
  'server-error': '500, or the given status',
  error: '`ok: false` with the given error',
  hang: 'not processed and never answered',
  'hang-after': 'processed, but never answered',
  'reset-before': 'not processed; the connection is reset',
  'reset-after': 'processed; the connection is reset before the first byte of the answer',
  cut: 'processed; the connection is reset after half of the answer',
  delay: 'waits for `release()`, then continues normally',
} as const;

/** Faults of a delivery to the bot. */
export const deliveryFaults = {
  duplicate: 'sent twice at the same time',
  repeat: 'sent twice with different event ids, and not marked as a retry',
  delay: 'sent when `release()` is called; its trigger can expire before that',
  unreachable: 'never reaches the bot',
  'late-answer': 'the bot answers in time, but Slack processes the answer only when `release()` is called',
  'lost-answer': 'the bot receives it and answers, but Slack does not receive the answer',
} as const;
