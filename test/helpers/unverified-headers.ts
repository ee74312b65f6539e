/** Creates Slack's headers with a wrong signature and, by default, a current timestamp. */
export const unverifiedSlackHeaders = (at = Date.now()) => ({
  'x-slack-signature': `v0=${'0'.repeat(64)}`,
  'x-slack-request-timestamp': String(Math.floor(at / 1_000)),
});

/** Formats headers for a raw request. */
export const headerLines = (headers: Record<string, string>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
