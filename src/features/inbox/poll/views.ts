const failureTexts: Record<string, string> = {
  unreachable: "the service couldn't be reached",
  timeout: "the service didn't answer in time",
  'credentials-refused': "the service rejects this workspace's API key",
  'token-refused': 'session rejected',
  refused: 'the service rejected the request',
  'not-the-service': "this isn't a supported file service",
  'changed-format': 'the service sent an unknown answer',
  'cut-short': 'connection dropped',
};

/** Why a poll failed, by its stored code. */
export const pollFailureText = (code: string): string => failureTexts[code] ?? `something went wrong (${code})`;
