/** Whether the id is of a person, or of a direct message with the bot. Only that person can read messages there. */
export const isDirect = (channel: string): boolean => /^[DUW]/.test(channel);
