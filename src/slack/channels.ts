/** Whether people from other organisations can read the channel, or soon will. */
export function isSharedOutside(channel: { is_ext_shared?: boolean; is_pending_ext_shared?: boolean } = {}): boolean {
  return channel.is_ext_shared === true || channel.is_pending_ext_shared === true;
}

/** Whether it is a person's id or the bot's direct message with one: no one else can read it. */
export const isDirect = (channel: string): boolean => /^[DUW]/.test(channel);
