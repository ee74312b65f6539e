/** People from other organisations see what is written there, or soon will. */
export function isSharedOutside(channel: { is_ext_shared?: boolean; is_pending_ext_shared?: boolean } = {}): boolean {
  return channel.is_ext_shared === true || channel.is_pending_ext_shared === true;
}
