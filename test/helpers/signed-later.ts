/** Headers that Slack could have sent, as long as nobody has checked the signature. */
export const signedLater = (at = Date.now()) => ({
  'x-slack-signature': `v0=${'0'.repeat(64)}`,
  'x-slack-request-timestamp': String(Math.floor(at / 1_000)),
});

/** For a request that is written by hand. */
export const linesOf = (headers: Record<string, string>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
