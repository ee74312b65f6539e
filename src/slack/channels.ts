/** People from other organisations see what is written there, or soon will. */
export function isSharedOutside(channel: { is_ext_shared?: boolean; is_pending_ext_shared?: boolean } = {}): boolean {
  return channel.is_ext_shared === true || channel.is_pending_ext_shared === true;
}

/** A person, or the bot's own conversation with one: nobody else is in it. */
export const isDirect = (channel: string): boolean => /^[DUW]/.test(channel);
