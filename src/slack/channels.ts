/** Whether the channel is shared with another organisation, or an invitation to one is pending. */
export function isSharedOutside(channel: { is_ext_shared?: boolean; is_pending_ext_shared?: boolean } = {}): boolean {
  return channel.is_ext_shared === true || channel.is_pending_ext_shared === true;
}

/** Whether the id is of a person, or of a direct message with the bot. Only that person can read messages there. */
export const isDirect = (channel: string): boolean => /^[DUW]/.test(channel);
