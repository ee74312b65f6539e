/** Slack's limits that our content could reach, in characters or items. */
export const limits = {
  text: 3_000,
  headerText: 150,
  buttonText: 75,
  buttonValue: 2_000,
  accessibilityLabel: 75,
  optionText: 75,
  options: 100,
  placeholder: 150,
  label: 2_000,
  inputLength: 3_000,
  viewTitle: 24,
  viewButton: 24,
  confirmTitle: 100,
  confirmText: 300,
  confirmButton: 30,
  /** Without the key of an account, which can be added: see desk-key.ts. */
  metadata: 2_950,
  fallbackText: 3_500,
  viewBlocks: 100,
} as const;

/** Shortens a text and adds an ellipsis. Never splits a character. */
export function truncateText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `${text.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Replaces the middle of a text with an ellipsis, so that an email address keeps its domain. */
export function fitMiddle(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const head = text.slice(0, Math.ceil((maxLength - 1) / 2)).replace(/[\uD800-\uDBFF]$/, '');
  const tail = text.slice(text.length - Math.floor((maxLength - 1) / 2)).replace(/^[\uDC00-\uDFFF]/, '');
  return `${head}…${tail}`;
}
