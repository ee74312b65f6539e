import type { ScannerServer } from '../../src/sandbox/scanner.ts';
import type { BotOptions } from '../helpers/bot.ts';

/** The bot's configuration for a simulated scanner. */
export const scanBy = ({ port }: ScannerServer, more: Partial<NonNullable<BotOptions['scan']>> = {}) => ({
  scan: { address: { host: '127.0.0.1', port }, maxBytes: 5_000_000, isRequired: false, ...more },
});
