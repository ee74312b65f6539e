/** Headers that look like Slack's until the signature is checked. */
export const signedLater = (at = Date.now()) => ({
  'x-slack-signature': `v0=${'0'.repeat(64)}`,
  'x-slack-request-timestamp': String(Math.floor(at / 1_000)),
});

/** Header lines for a raw request. */
export const linesOf = (headers: Record<string, string>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
