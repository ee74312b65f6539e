/**
 * Slack's limits. Where its documentation gives two values, this is the stricter one. A value with a limit must not be
 * empty either, unless a check allows it.
 *
 * Characters are counted in UTF-16 units: Slack doesn't say what it counts, and a text never has fewer units than code
 * points.
 */
export const limits = {
  message: {
    blocks: 50,
    /** Above 4,000, Slack refuses an update and can split a new message. It truncates a new message at 40,000. */
    text: 4000,
    /** Undocumented; refusals were observed at 13,172 characters and above. */
    blockCharacters: 13_000,
  },
  view: {
    blocks: 100,
    /** 250 KB; the smaller of the two meanings of KB. */
    bytes: 250_000,
    title: 24,
    submit: 24,
    close: 24,
    privateMetadata: 3000,
    stack: 3,
  },
  /** `block_id`, `action_id`, `callback_id`. */
  id: 255,
  text: 3000,
  url: 3000,
  placeholder: 150,
  section: { text: 3000, fields: 10, field: 2000 },
  header: 150,
  context: { elements: 10 },
  actions: { elements: 25 },
  input: { label: 2000, hint: 2000 },
  button: { text: 75, value: 2000, accessibilityLabel: 75 },
  confirm: { title: 100, text: 300, confirm: 30, deny: 30 },
  /** Slack's page says 150 for a value, its types say 75. */
  option: { text: 75, description: 75, value: 75 },
  optionGroup: { label: 75, options: 100 },
  select: { options: 100, groups: 100, defaultMinQueryLength: 3, answerMs: 3000 },
  checkboxes: { options: 10 },
  radioButtons: { options: 10 },
  overflow: { options: 5 },
  plainTextInput: { length: 3000 },
  fileInput: { files: 10, bytesPerFile: 10_000_000 },
  richText: { indent: 8 },
} as const;
